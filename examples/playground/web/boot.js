// The page is painted before anything else is read: what it shows first needs no script.
const start = () => import('./app.js').catch((error) => {
  const status = document.getElementById('status');
  status.textContent = `The page did not load: ${error.message}`;
  status.classList.add('broken');
});
if (document.visibilityState === 'hidden') start();
else requestAnimationFrame(() => setTimeout(start));
