import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { tileKey } from '../tile-maths.ts'
import { allTiles } from './tiles.ts'

// Run as a process of its own (see ../archive-builder.ts): it takes seconds of CPU and hundreds of megabytes, once.

const SCHEMA = `
  pragma journal_mode = off;
  pragma synchronous = off;
  create table blob (id integer primary key, etag text not null unique, data blob not null) strict;
  create table tile (key integer primary key, blob_id integer not null, solid integer not null) strict;
  create table made (cpu_s real not null, memory_mb real not null) strict;
`

function writeArchive(file: string): void {
  const database = new DatabaseSync(file)
  database.exec(SCHEMA)
  database.exec('begin')
  const insertBlob = database.prepare('insert into blob (etag, data) values (?, ?) on conflict do nothing')
  const insertTile = database.prepare('insert into tile (key, blob_id, solid) select ?, id, ? from blob where etag = ?')
  for (const { z, x, y, data, solid } of allTiles()) {
    const etag = createHash('sha256').update(data).digest('base64url').slice(0, 16)
    insertBlob.run(etag, gzipSync(data, { level: 9 }))
    insertTile.run(tileKey(z, x, y), solid ? 1 : 0, etag)
  }
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  database.prepare('insert into made values (?, ?)').run((userCPUTime + systemCPUTime) / 1e6, maxRSS / 1024)
  database.exec('commit')
  database.close()
}

const [file] = process.argv.slice(2)
if (!file) throw new Error('usage: write-archive.ts FILE')
writeArchive(file)
