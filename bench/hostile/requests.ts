import fc from 'fast-check'
import { type Draft, drafts, type Operation } from '../../server/test/fuzz-requests.ts'
import { anythingNasty, spoilt } from '../../server/test/fuzz-values.ts'
import { resources } from '../../server/test/resources.ts'
import type { Letter } from './canaries.ts'
import { type Change, changed, changes } from './changes.ts'
import type { Caller, Ready } from './ready.ts'
import { scenario } from './scenario.ts'
import type { Step } from './step.ts'
import { bodyOf, filled, type Role, requestOf, type Side, valuesFor, type World } from './world.ts'

/** One request as it is generated, before the ids of the scene it meets are known. */
export interface Plan {
  tenant: Letter
  /** Decides what is left open: which sort of id, which dead token. */
  salt: number
  draft?: Draft
  replay?: Replay
}

interface Replay {
  step: Step
  /** The body as a template, with or without something wrong in it. */
  body: string | undefined
  caller: Caller
  ids: 'own' | 'foreignInPath' | 'foreignInBody' | 'foreign'
  change: Change
  nasty: unknown
}

const callers: fc.Arbitrary<Caller> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('admin' as const, 'manager' as const, 'staff' as const) },
  { weight: 1, arbitrary: fc.constantFrom('nobody' as const, 'garbage' as const, 'ended' as const) },
)

function replayOf(step: Step): fc.Arbitrary<Replay> {
  const body = fc.constant(step.body)
  const isSent = step.body !== undefined
  return fc.record({
    step: fc.constant(step),
    body: isSent
      ? fc
          .oneof({ weight: 2, arbitrary: body }, { weight: 3, arbitrary: spoilt(body) })
          .map((value) => JSON.stringify(value) ?? '')
      : fc.constant(undefined),
    caller: step.who === 'device' ? fc.constant('device' as const) : fc.oneof(fc.constant<Caller>(step.who), callers),
    ids: fc.constantFrom(
      'own' as const,
      'own' as const,
      'foreignInPath' as const,
      'foreignInBody' as const,
      'foreign' as const,
    ),
    change: fc.constantFrom(...changes),
    nasty: anythingNasty,
  })
}

/** Requests: half made from the API's document, half from the recording, each with something changed or nothing. */
export function plans(operations: Operation[]): fc.Arbitrary<Plan> {
  const steps = scenario.filter((step) => !step.isOnce)
  const about = { tenant: fc.constantFrom('a' as const, 'b' as const), salt: fc.nat() }
  return fc.oneof(
    fc.record({ ...about, draft: drafts(operations) }),
    fc.record({ ...about, replay: fc.oneof(...steps.map(replayOf)) }),
  )
}

/** The requests of a chunk; the same seed and number give the same. */
export const chunkOf = (all: fc.Arbitrary<Plan>, seed: number, number: number, size: number): Plan[] =>
  fc.sample(all, { seed: (seed + number * 7_919) | 0, numRuns: size })

/** The request as it is sent to the scene of now. */
export function ready({ tenant, salt, draft, replay }: Plan, world: World): Ready {
  const side = world.sides[tenant]
  const other = world.sides[tenant === 'a' ? 'b' : 'a']
  if (draft) return ofDraft(draft, salt, side, other)
  if (replay) return ofReplay(replay, salt, side, other)
  throw new Error('a request of nothing')
}

/** The kind of thing an id in the path stands for, by the segments before it: as server/test/samples.ts reads paths. */
function resourceAt(path: string, index: number): string {
  const segments = path
    .replace('/app/api/v1', '')
    .replace(/\{\w+\}/g, ':id')
    .split('/')
  const two = segments.slice(index - 2, index).join('/')
  return two in resources ? two : (segments[index - 1] ?? '')
}

function ofDraft(draft: Draft, salt: number, side: Side, other: Side): Ready {
  const { operation, params, query, body, language } = draft
  const caller: Caller = draft.caller === 'garbage' && salt % 2 === 0 ? 'ended' : draft.caller
  let next = 0
  const segments = operation.path.replace('/app/api/v1', '').split('/')
  const path = segments
    .map((segment, index) => {
      if (!/^\{\w+\}$/.test(segment)) return segment
      const given = params[next++] ?? ''
      const [whose, resource] = given.split(':')
      if (!resource) return given
      // Most often what such a path asks for: any other id is a 404 without a look inside.
      const name = salt % 4 === 0 ? resource : resourceAt(operation.path, index)
      return (whose === 'own' ? side : other).things[name] ?? side.things[resource] ?? given
    })
    .join('/')
  return {
    method: operation.method,
    path: `/app/api/v1${path}${query ? `?${query}` : ''}`,
    headers: {
      ...authorization(side, caller),
      'accept-language': language,
      ...(body?.type ? { 'content-type': body.type } : {}),
    },
    body: body?.text,
    ...{ caller, side, isOpen: operation.open, origin: `${operation.method} ${operation.path}` },
  }
}

function authorization(side: Side, caller: Caller): Record<string, string> {
  if (caller === 'nobody') return {}
  if (caller === 'odd') return { authorization: 'Bearer a b' }
  if (caller === 'key') return { authorization: `Bearer ${side.values.keySecret}` }
  const token = caller === 'garbage' ? 'x'.repeat(43) : side.tokens[caller as Role | 'ended']
  return { authorization: `Bearer ${token}` }
}

/** Names whose values hold a canary, or prove who one is: never sent by the other tenant. */
const personal =
  /imei|code|licence|adminEmail|phone|hook|link|Key|password|^n$|^file$|Lat$|Lon$|C$|^from$|^to$|^tomorrow$|^t\d$/i

const withIdsOf = (own: Record<string, string>, other: Side) =>
  Object.fromEntries(
    Object.entries(own).map(([name, value]) => [name, personal.test(name) ? value : (other.values[name] ?? value)]),
  )

function ofReplay(replay: Replay, salt: number, side: Side, other: Side): Ready {
  const { step, caller, ids, change } = replay
  const own = valuesFor(side, caller)
  const foreign = withIdsOf(own, other)
  const isForeign = (part: Replay['ids']) => ids === 'foreign' || ids === part
  const template = requestOf(side, step, step.who === 'device' ? 'device' : 'nobody')
  const plain: Ready = {
    ...template,
    headers: { ...template.headers, ...(step.who === 'device' ? {} : authorization(side, caller)) },
    path: `/app/api/v1${filled(step.path, side.letter, isForeign('foreignInPath') ? foreign : own)}`,
    body: replay.body && bodyOf(step, filled(replay.body, side.letter, isForeign('foreignInBody') ? foreign : own)),
    ...{
      caller,
      side,
      isOpen: step.who === 'nobody' || change !== 'none',
      origin: `${step.method} ${step.path} (recorded)`,
    },
  }
  // A device's request with the secret of another's.
  if (step.who === 'device' && ids !== 'own') plain.path = plain.path.replace(/\d{15}/, other.values.imei ?? '')
  return changed(plain, change, salt, replay.nasty)
}
