import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
export const inRoot = (...parts) => join(root, ...parts)

/** The pinned Node, spawned by this path: the shell that started us has already chosen another. */
export const pinnedNode = inRoot('node_modules/node/bin/node')
