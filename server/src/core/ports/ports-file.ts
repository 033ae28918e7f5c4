import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { foldName } from '../../platform/gazetteer/fold-name.ts'

export type PortKind = 'sea' | 'air'

/** A line of server/data/ports.json, which scripts/ports/make-ports.mjs writes. */
type Line = [
  kind: PortKind,
  code: string,
  name: string,
  aliases: string[],
  country: string,
  lat: number | null,
  lon: number | null,
  zone: string | null,
  radiusM: number | null,
  source: string,
]

/** A port as the file has it, in the columns of table `ports`. */
export interface PortOfFile {
  kind: PortKind
  code: string
  name: string
  aliases: string[]
  country: string
  lat: number | null
  lon: number | null
  zone: string | null
  radius_m: number | null
  source: string
  /** Name, code and aliases, folded, each between bars: "|apapa|ngapp|lagos|". */
  search: string
}

const file = new URL('../../../data/ports.json', import.meta.url)

/** Every port of the world that this version knows, and the hash of the file that says so. */
export async function readPorts(): Promise<{ ports: PortOfFile[]; sha256: Buffer }> {
  const bytes = await readFile(file)
  const ports = (JSON.parse(bytes.toString('utf8')) as Line[]).map(
    ([kind, code, name, aliases, country, lat, lon, zone, radius_m, source]) => ({
      ...{ kind, code, name, aliases, country, lat, lon, zone, radius_m, source },
      search: `|${[name, code, ...aliases].map(foldName).join('|')}|`,
    }),
  )
  return { ports, sha256: createHash('sha256').update(bytes).digest() }
}
