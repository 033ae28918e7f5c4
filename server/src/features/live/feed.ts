import { randomBytes } from 'node:crypto'
import type { BusEvent } from '../../platform/bus/bus.ts'
import type { Services } from '../../platform/services.ts'
import { type Addressed, Sight } from './sight.ts'
import { frame, type Viewer } from './viewer.ts'
import { findEnded } from './watcher.ts'

interface BufferedEvent {
  seq: number
  about: Addressed
  text: string
}

/** A place in a feed: the id of the last event before it, and its instant. */
export interface Position {
  id: string
  at: string
}

// A few minutes of a large fleet, and some MB at most.
const maxKept = 4_000

/** The live events of one company: remembers the last ones and passes each on to those who may see it. */
export class Feed {
  readonly companyId: number
  readonly viewers = new Set<Viewer>()
  readonly #services: Services
  readonly #sight: Sight
  // Ids of another run of the server, or of another node, mean nothing here.
  #epoch = randomBytes(6).toString('hex')
  readonly #kept: BufferedEvent[] = []
  readonly #unsubscribe: () => void
  #seq = 0
  #checking: Promise<void> | undefined
  #recheck = false
  /** When the last viewer left, ms since 1970; null while there is one. */
  leftAt: number | null = null

  constructor(services: Services, companyId: number) {
    this.#services = services
    this.companyId = companyId
    this.#sight = new Sight(services, companyId)
    this.#unsubscribe = services.bus.subscribe(
      companyId,
      (event) => this.#take(event),
      () => this.#missed(),
    )
  }

  /** Resolves once it knows whose devices are private. */
  ready(): Promise<void> {
    return this.#sight.refresh()
  }

  /** Where the events stand now. */
  position(): Position {
    return { id: this.#id(this.#seq), at: this.#services.clock.now().toISOString() }
  }

  /**
   * Lets a viewer in: with what they missed since `lastId`, where that is still known, else with what has happened since
   * they knocked (`from`), and they fetch anew what they had before.
   */
  join(viewer: Viewer, lastId: string | undefined, from: Position): void {
    const missed = this.#since(lastId)
    viewer.send('hello', { at: from.at, resumed: missed !== null }, missed ? undefined : from.id)
    const since = missed ?? this.#since(from.id)
    if (since === null) viewer.send('resync', { reason: 'missed' })
    for (const event of since ?? []) this.#pass(viewer, event)
    this.viewers.add(viewer)
    this.leftAt = null
    viewer.stream.once('close', () => this.leave(viewer))
  }

  leave(viewer: Viewer): void {
    if (this.viewers.delete(viewer) && this.viewers.size === 0) this.leftAt = Date.now()
  }

  /** A sign of life to everybody, and a look whether they may still be there. */
  beat(): void {
    const at = this.#services.clock.now().toISOString()
    for (const viewer of this.viewers) viewer.send('heartbeat', { at })
    void this.check()
    void this.#sight.refresh().catch((error) => this.#complain(error))
  }

  end(): void {
    this.#unsubscribe()
    for (const viewer of this.viewers) viewer.close('restart')
    this.viewers.clear()
  }

  /** Ends the streams of sessions that are over and of people whose rights have changed. */
  check(): Promise<void> {
    this.#recheck = true
    this.#checking ??= this.#check()
      .catch((error) => this.#complain(error))
      .finally(() => {
        this.#checking = undefined
      })
    return this.#checking
  }

  async #check() {
    while (this.#recheck) {
      this.#recheck = false
      const viewers = [...this.viewers]
      if (viewers.length === 0) return
      const ended = await findEnded(
        this.#services,
        this.companyId,
        viewers.map((viewer) => viewer.watcher),
      )
      for (const viewer of viewers) {
        const reason = ended.get(viewer.watcher.sessionHash.toString('hex'))
        if (reason) viewer.close(reason)
      }
    }
  }

  #take(event: BusEvent) {
    if (event.kind === 'permissions' || event.kind === 'session') return void this.check()
    const { deviceId } = event
    if (this.#sight.note(event)) this.#closeTeam()
    if (event.kind === 'device' || (deviceId !== undefined && !this.#sight.knows(deviceId)))
      void this.#sight.refresh().catch((error) => this.#complain(error))
    this.#seq += 1
    const { kind, userId, alarmIsPrivate } = event
    const about = { kind, deviceId, userId, alarmIsPrivate }
    const kept = { seq: this.#seq, about, text: frame(kind, JSON.stringify(event.data), this.#id(this.#seq)) }
    this.#kept.push(kept)
    // Dropping a quarter at a time keeps the cost of dropping off every event.
    if (this.#kept.length > maxKept) this.#kept.splice(0, maxKept / 4)
    for (const viewer of this.viewers) this.#pass(viewer, kept)
  }

  // An id from before leads to nothing any more: its holder has missed something, too.
  #missed() {
    this.#epoch = randomBytes(6).toString('hex')
    this.#kept.length = 0
    for (const viewer of this.viewers) viewer.send('resync', { reason: 'missed' })
    void this.check()
  }

  #pass(viewer: Viewer, event: BufferedEvent) {
    if (this.#sight.allows(viewer.watcher, event.about)) viewer.write(event.text)
  }

  /** A device appeared to or vanished from those who are no Admins: all they show may be wrong now. */
  #closeTeam() {
    for (const viewer of this.viewers)
      if (viewer.watcher.seesDevices && !viewer.watcher.seesPrivate) {
        viewer.send('resync', { reason: 'visibility' })
        viewer.close('visibility')
      }
  }

  /** The events after an id, or null where they are not all known. */
  #since(lastId: string | undefined): BufferedEvent[] | null {
    const [epoch, number = ''] = (lastId ?? '').split('-')
    if (epoch !== this.#epoch || !/^\d{1,15}$/.test(number)) return null
    const seq = Number(number)
    const oldest = this.#kept[0]?.seq ?? this.#seq + 1
    if (seq > this.#seq || seq < oldest - 1) return null
    return this.#kept.filter((event) => event.seq > seq)
  }

  #id(seq: number): string {
    return `${this.#epoch}-${seq}`
  }

  #complain(error: unknown) {
    this.#services.log.warn({ err: error, companyId: this.companyId }, 'live feed')
  }
}
