import { fileURLToPath } from 'node:url'

/** Holds what is made from installed packages, one copy for all data folders of this checkout: demo, tests and benchmarks then make it once. */
export const installCacheDir = fileURLToPath(new URL('../../../../node_modules/.cache/isotherm/', import.meta.url))
