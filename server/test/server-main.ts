import { fileURLToPath } from 'node:url'

/**
 * The file that starts the server and its commands. In a run of all tests a build of the same sources (scripts/run/server-build.config.ts), which is there
 * sooner.
 */
export const serverMain = process.env.SERVER_BUILD ?? fileURLToPath(new URL('../src/main.ts', import.meta.url))
