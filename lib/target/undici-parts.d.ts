// undici ships types for its whole only.
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici';
}
declare module 'undici/lib/core/errors.js' {
  export { errors as default } from 'undici';
}
