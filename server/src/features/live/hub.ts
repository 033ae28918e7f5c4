import { heartbeatMs } from '@isotherm/contract/live.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Services } from '../../platform/services.ts'
import { Feed } from './feed.ts'
import { Viewer, type Watcher } from './viewer.ts'

// A feed nobody watches is kept a while, for those who come back with the id of the last event they had.
const keepMs = 10 * 60_000
const maxPerSession = 20

/** All feeds of this server. */
export class Hub {
  readonly #services: Services
  readonly #feeds = new Map<number, Feed>()
  readonly #timer: NodeJS.Timeout
  #ended = false

  constructor(services: Services, beatMs = heartbeatMs) {
    this.#services = services
    this.#timer = setInterval(() => this.#beat(), beatMs)
    this.#timer.unref()
  }

  /** Opens a stream for somebody; throws BUSY while stopping, TOO_MANY_REQUESTS where session, person or company have too many. */
  async open(companyId: number, watcher: Watcher, lastId: string | undefined): Promise<Viewer> {
    const feed = this.#feedOf(companyId)
    // From here on it hears everything, also what happens before it is let in.
    const from = feed.position()
    await feed.ready()
    if (this.#ended) throw new AppError('BUSY', {}, 2)
    const { perPerson, perCompany } = this.#services.config.liveStreams
    const own = [...feed.viewers].filter((viewer) => viewer.watcher.userId === watcher.userId)
    const ofSession = own.filter((viewer) => viewer.watcher.sessionHash.equals(watcher.sessionHash))
    if (ofSession.length >= maxPerSession || own.length >= perPerson || feed.viewers.size >= perCompany)
      throw new AppError('TOO_MANY_REQUESTS', { seconds: 30 }, 30)
    const viewer = new Viewer(watcher)
    feed.join(viewer, lastId, from)
    // The session may have ended between the look at it and now.
    void feed.check()
    return viewer
  }

  /** Ends every stream, so that the server can stop. */
  end(): void {
    this.#ended = true
    clearInterval(this.#timer)
    for (const feed of this.#feeds.values()) feed.end()
    this.#feeds.clear()
  }

  /** Ends the streams that are open now one by one, each at some moment of `withinMs`: their readers come back at another node, and not all at once. */
  endSpread(withinMs: number): void {
    for (const feed of this.#feeds.values())
      for (const viewer of feed.viewers) setTimeout(() => viewer.close('restart'), Math.random() * withinMs).unref()
  }

  #feedOf(companyId: number): Feed {
    const known = this.#feeds.get(companyId)
    if (known) {
      // Somebody is coming: it must not be forgotten while they are let in.
      if (known.viewers.size === 0) known.leftAt = Date.now()
      return known
    }
    const feed = new Feed(this.#services, companyId)
    feed.leftAt = Date.now()
    this.#feeds.set(companyId, feed)
    return feed
  }

  #beat() {
    for (const [companyId, feed] of this.#feeds) {
      if (feed.leftAt !== null && Date.now() - feed.leftAt > keepMs) {
        feed.end()
        this.#feeds.delete(companyId)
      } else if (feed.viewers.size > 0) feed.beat()
    }
  }
}
