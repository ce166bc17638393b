/** What the service puts a fresh nonce in place of, with each page that it serves. */
const nonce = '__NONCE__';

export default {
  // Relative, so that one build serves under any path prefix: the service names it in the page's <base>.
  base: './',
  html: { cspNonce: nonce },
  build: {
    target: 'es2023',
    outDir: 'dist',
    // What is inlined as `data:` the content security policy would refuse.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Read by the check of what the first load weighs.
    manifest: 'manifest.json',
    reportCompressedSize: false,
    rolldownOptions: {
      onLog(level, log, print) {
        // Libraries mark what is no server component; there is none here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') print(level, log);
      },
    },
  },
};
