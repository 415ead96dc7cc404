// The page is painted before anything else is read: what it shows first needs no script.
const start = () => import('./app.js');
if (document.visibilityState === 'hidden') start();
else requestAnimationFrame(() => setTimeout(start));
