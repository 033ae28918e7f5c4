// Verifies an audit trail without this system: node scripts/verify-audit.mjs TRAIL.jsonl [--checkpoints FILE.json]... [--key ID]
// Plain JavaScript without packages (Node 18 or newer), so that an auditor can read all of what judges. The formats: docs/adr/0013.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const usage = 'node scripts/verify-audit.mjs TRAIL.jsonl [--checkpoints FILE.json]... [--key ID]'
const faults = []
const fault = (text) => faults.push(text)

/** JSON with sorted keys. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`)
      .join(',')}}`
  return JSON.stringify(value ?? null)
}

function isSigned(key, text, signature) {
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.publicKey }, format: 'jwk' })
  return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'))
}

const idOf = ({ publicKey }) =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex').slice(0, 16)

/** The keys that may be trusted: the named one (else the first) and those that follow from it, each vouched for by the one before. */
function trusted(keys, named) {
  const found = new Map()
  const first = named ? keys.find(({ id }) => id === named) : keys[0]
  if (!first) return found
  if (idOf(first) !== first.id) fault(`key ${first.id} is not what its id says`)
  found.set(first.id, first)
  for (const key of keys.slice(keys.indexOf(first) + 1)) {
    const before = found.get(key.signedBy)
    const vow = ['isotherm-audit-key-v1', key.id, key.publicKey, key.from, key.signedBy ?? ''].join('\n')
    if (before && idOf(key) === key.id && isSigned(before, vow, key.signature ?? '')) found.set(key.id, key)
    else fault(`key ${key.id} is vouched for by no trusted key`)
  }
  return found
}

/** By entry number, the hashes that genuine checkpoints swear to. */
function swornBy(files, company, keys) {
  const sworn = new Map()
  for (const { name, checkpoints } of files)
    for (const { signature, ...fields } of checkpoints) {
      const { company: whose, number, seq, hash, count, at, keyId } = fields
      const key = keys.get(keyId)
      const text = `isotherm-audit-checkpoint-v1\n${canonical({ company: whose, number, seq, hash, count, at, keyId })}`
      if (whose !== company) fault(`${name}: checkpoint ${number} is of another company`)
      else if (!key) fault(`${name}: checkpoint ${number} is signed with a key that is not trusted (${keyId})`)
      else if (!isSigned(key, text, signature)) fault(`${name}: checkpoint ${number} at entry ${seq} is forged`)
      else sworn.set(Number(seq), [...(sworn.get(Number(seq)) ?? []), { name, number, hash, at }])
    }
  return sworn
}

/** The server writes into the trail's first line what it remembers to have signed last, outside the database. */
function remembered({ signed, checkpoints }) {
  if (!signed || signed.number === 0) return
  const { number, seq, hash } = signed
  if (!checkpoints.some((each) => each.number === number && each.seq === seq && each.hash === hash))
    fault(`checkpoint ${number}, which the server signed at entry ${seq}, is gone or another stands in its place`)
}

/** Recomputes the chain; returns how many entries there are and the last that a checkpoint vouches for. */
async function walk(lines, company, sworn) {
  let previous = Buffer.alloc(32)
  let seq = 0
  let signed = null
  for await (const line of lines) {
    if (!line.trim()) continue
    const { hash, ...entry } = JSON.parse(line)
    seq += 1
    if (entry.seq !== seq) fault(`entry ${seq}: here stands entry ${entry.seq}`)
    const content = canonical({ companyId: Number(company), ...entry })
    const own = createHash('sha256').update(previous).update(content).digest()
    if (own.toString('hex') !== hash) fault(`entry ${seq}: its content and its hash do not belong together`)
    for (const each of sworn.get(seq) ?? [])
      if (each.hash === hash) signed = { seq, at: each.at }
      else fault(`entry ${seq}: checkpoint ${each.number} of ${each.name} swears to another hash`)
    if (faults.length > 20) break
    previous = Buffer.from(hash, 'hex')
  }
  for (const [end, [{ name, number }]] of sworn)
    if (end > seq && faults.length <= 20)
      fault(`the end is gone: checkpoint ${number} of ${name} swears to ${end} entries`)
  return { entries: seq, signed }
}

function parse(args) {
  const options = { files: [], key: undefined, trail: undefined }
  for (let i = 0; i < args.length; i += 1)
    if (args[i] === '--checkpoints') options.files.push(args[++i])
    else if (args[i] === '--key') options.key = args[++i]
    else options.trail ??= args[i]
  return options
}

async function main() {
  const { trail, files, key } = parse(process.argv.slice(2))
  if (!trail) throw new Error(usage)
  const lines = createInterface({ input: createReadStream(trail), crlfDelay: Number.POSITIVE_INFINITY })[
    Symbol.asyncIterator
  ]()
  const { value } = await lines.next()
  const head = JSON.parse(value ?? 'null')
  if (head?.format !== 'isotherm-audit-trail-1') throw new Error(`${trail} is no audit trail of this format`)
  const kept = files.map((name) => ({ name, ...JSON.parse(readFileSync(name, 'utf8')) }))
  // A file kept since long knows the keys from before whatever happened to the server.
  const keys = trusted((kept[0] ?? head).keys, key)
  for (const each of trusted(head.keys, [...keys.keys()][0]).values()) keys.set(each.id, each)
  remembered(head)
  const sworn = swornBy([{ name: trail, ...head }, ...kept], head.company.id, keys)
  const { entries, signed } = await walk(lines, head.company.id, sworn)
  console.log(`${head.company.name} (${head.company.id}): ${entries} entries`)
  console.log(signed ? `signed up to entry ${signed.seq}, ${signed.at}` : 'no checkpoint vouches for any entry')
  console.log(
    `trusted key ${[...keys.keys()][0] ?? '-'}${key ? '' : ': compare it with the one you were told (--key)'}`,
  )
  console.log(faults.length === 0 ? 'whole' : `BROKEN\n${faults.map((text) => `  ${text}`).join('\n')}`)
  return faults.length === 0 ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
