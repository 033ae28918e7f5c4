import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type FileKey, type FilePlace, isFileKey } from './files.ts'
import { type ListedObject, objectStore } from './object-store.ts'

/** Lists the files of the store, by pages in an order of its own; those after a key. Only names that are ours. */
export async function* listFiles({ dataDir, fileStore }: FilePlace, after?: FileKey): AsyncGenerator<ListedObject[]> {
  const pages = fileStore ? objectStore(fileStore).list(after) : onDisk(join(dataDir, 'files'), after)
  for await (const page of pages) yield page.filter(({ name }) => isFileKey(name))
}

/** A page for each folder. Only a page's last name may be given as `after`. */
async function* onDisk(root: string, after = ''): AsyncGenerator<ListedObject[]> {
  const [lastArea = '', lastFolder = ''] = after.split('/')
  for (const area of await namesIn(root)) {
    if (area < lastArea) continue
    for (const folder of await namesIn(join(root, area))) {
      if (area === lastArea && folder <= lastFolder) continue
      const page: ListedObject[] = []
      for (const file of await namesIn(join(root, area, folder))) {
        const found = await stat(join(root, area, folder, file)).catch(() => undefined)
        if (found) page.push({ name: `${area}/${folder}/${file}`, bytes: found.size, at: found.mtime })
      }
      if (page.length > 0) yield page
    }
  }
}

const namesIn = async (folder: string): Promise<string[]> =>
  (
    await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
      throw error
    })
  ).sort()
