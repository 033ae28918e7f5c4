import { createHmac, timingSafeEqual } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { canonical } from '../audit/audit.ts'
import { type PublicKey, type SigningKeys, vouchedFor } from '../config/signing-keys.ts'
import { checkJws, signJws } from '../secrets/jws.ts'
import { type BackupStore, putText } from './backup-store.ts'
import { stampOf } from './stretches.ts'

const Drill = z.object({
  at: z.iso.datetime(),
  /** The instant that was restored. */
  restoredTo: z.iso.datetime(),
  /** The name of the base that it began with. */
  base: z.string(),
  operator: z.string(),
  seconds: z.object({ restore: z.number(), checks: z.number() }),
  /** How often a restore alone would have fitted into the time of the drill. */
  timesRestore: z.number(),
  /** How many of each were looked at. */
  checked: z.record(z.string(), z.number()),
  /** Empty: the restore is proven. */
  faults: z.array(z.string()),
})

/** The record of a drill. */
export type Drill = z.infer<typeof Drill>

/** As a drill leaves it: `proof` shows that its maker had opened the base; null where the base is of an earlier version. */
const LeftDrill = Drill.extend({ proof: z.string().nullable() })
type LeftDrill = z.infer<typeof LeftDrill>

/**
 * A drill is run where the identity is, and signed where the signing key is, which is another machine. `left`: the server has not signed it yet.
 * `unlike`: its signature is not the installation's, or of another record.
 */
export interface ListedDrill {
  name: string
  drill: Drill | null
  state: 'signed' | 'left' | 'unlike'
  keyId: string | null
}

const folder = 'drills'
const keysName = `${folder}/keys.json`
const type = 'isotherm-drill+jws'

const nameOf = ({ at }: Drill) => `${folder}/${stampOf(new Date(at))}`

/** The secret that the server seals into a base: who opens that can prove it to the server, which cannot open it itself. */
export const drillSecret = (installation: Buffer, base: string): string =>
  createHmac('sha256', installation).update(`isotherm-drill-v1\n${base}`).digest('base64url')

const proofOf = (secret: string, drill: Drill) => createHmac('sha256', secret).update(canonical(drill)).digest('hex')

/** Leaves the record beside the backup. */
export async function leaveDrill(store: BackupStore, drill: Drill, secret: string | undefined): Promise<string> {
  const name = `${nameOf(drill)}.json`
  const left: LeftDrill = { ...drill, proof: secret === undefined ? null : proofOf(secret, drill) }
  await putText(store, name, `${JSON.stringify(left, null, 1)}\n`)
  return name
}

/** All drills, oldest first, judged by these public keys. */
export async function listDrills(store: BackupStore, known: readonly PublicKey[]): Promise<ListedDrill[]> {
  const names = new Set((await store.list(folder)).map(({ name }) => name))
  const stems = [...names].flatMap((name) => /^(drills\/\d{8}T\d{6}Z)\.(json|jws)$/.exec(name)?.[1] ?? [])
  const listed: ListedDrill[] = []
  for (const stem of new Set(stems.sort())) {
    const read = async (name: string) => (names.has(name) ? text(await store.get(name)) : null)
    listed.push(judge(stem, await read(`${stem}.json`), await read(`${stem}.jws`), known))
  }
  return listed
}

function judge(name: string, leftText: string | null, jws: string | null, known: readonly PublicKey[]): ListedDrill {
  const left = leftText === null ? null : parsed(LeftDrill, leftText)
  const { proof: _, ...drill } = left ?? { proof: null }
  const own = left ? Drill.parse(drill) : null
  if (jws === null) return { name, drill: own, state: 'left', keyId: null }
  const checked = checkJws(known, type, jws.trim())
  if ('fault' in checked) return { name, drill: own, state: 'unlike', keyId: checked.keyId }
  const signed = parsed(Drill, checked.payload)
  const isSame = signed !== null && nameOf(signed) === name && (!own || canonical(own) === checked.payload)
  return { name, drill: signed, state: isSame ? 'signed' : 'unlike', keyId: checked.keyId }
}

/**
 * Signs the records that drills left and that are proven; `note` is told of each before it is signed, and may be told again after a crash.
 * Returns the names of those that are not proven: anybody who can write into the store may have left them.
 */
export async function signDrills(
  store: BackupStore,
  { keys, secret }: { keys: SigningKeys; secret: Buffer },
  note: (name: string, drill: Drill) => Promise<void>,
): Promise<string[]> {
  const unproven: string[] = []
  let signed = 0
  for (const { name, drill, state } of await listDrills(store, keys.known)) {
    if (state === 'signed') continue
    const left = state === 'left' && drill ? parsed(LeftDrill, await text(await store.get(`${name}.json`))) : null
    if (!drill || !left || nameOf(drill) !== name || !isProven(left.proof, drillSecret(secret, drill.base), drill)) {
      unproven.push(name)
      continue
    }
    await note(name, drill)
    await putText(store, `${name}.jws`, `${signJws(keys, type, canonical(drill))}\n`)
    signed += 1
  }
  if (signed > 0) await putText(store, keysName, `${JSON.stringify(keys.known, null, 1)}\n`)
  return unproven
}

function isProven(proof: string | null, secret: string, drill: Drill): boolean {
  const [given, own] = [Buffer.from(proof ?? '', 'hex'), Buffer.from(proofOf(secret, drill), 'hex')]
  return given.length === own.length && timingSafeEqual(given, own)
}

const Keys = z.array(
  z.object({
    ...{ id: z.string(), publicKey: z.string(), from: z.string() },
    ...{ signedBy: z.string().nullable(), signature: z.string().nullable() },
  }),
)

/** The public keys beside the drills, as far as the first keys that are trusted vouch for them. */
export async function drillKeys(store: BackupStore, anchors: readonly string[]): Promise<PublicKey[]> {
  const isThere = (await store.list(folder)).some(({ name }) => name === keysName)
  const keys = isThere ? (parsed(Keys, await text(await store.get(keysName))) ?? []) : []
  return anchors.flatMap((anchor) => vouchedFor(keys, anchor))
}

function parsed<T>(shape: z.ZodType<T>, words: string): T | null {
  try {
    return shape.parse(JSON.parse(words))
  } catch {
    return null
  }
}
