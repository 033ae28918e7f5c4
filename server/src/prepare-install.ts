import { ensureArchive } from './features/basemap/archive-builder.ts'
import { installCacheDir } from './platform/files/install-cache.ts'
import { loadGazetteer } from './platform/gazetteer/gazetteer.ts'

// Makes what a server would make at its first start otherwise, for those that start from this checkout or image.
await ensureArchive([installCacheDir])
await loadGazetteer()
