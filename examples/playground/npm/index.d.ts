export * from './aiweb.js';
