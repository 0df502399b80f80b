// Each run loads undici before it can send: these parts take less than half of the time that all of it takes, with
// fetch, caches and WebSockets. Their paths are no public API, so package.json pins the exact version.
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
export { default as errors } from 'undici/lib/core/errors.js';
