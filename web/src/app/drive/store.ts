import type { DriverAct, DriverPage, PhonePosition } from '@isotherm/contract/order-links.ts'
import type { FilledHandOver } from '../link-pages/hand-over-form.ts'

/** An act that waits to be sent. `code` is the order's; the token may be another one by the time it is sent. */
export type Waiting = { id?: number; code: string; token: string; at: string } & (
  | { what: 'act'; act: Pick<DriverAct, 'kind' | 'stop' | 'requestId'> }
  | { what: 'handOver'; stop: number; filled: FilledHandOver }
)

/** A position that waits to be told. */
type WaitingPosition = { id?: number; code: string } & PhonePosition

/** An act that the server did not take, with its reason. */
export interface Refused {
  id?: number
  code: string
  at: string
  message: string
}

interface Stores {
  waiting: Waiting
  refused: Refused
  positions: WaitingPosition
  pages: { token: string; page: DriverPage }
}

type Listed = 'waiting' | 'refused' | 'positions'

let opened: Promise<IDBDatabase> | undefined

const asPromise = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((done, fail) => {
    request.onsuccess = () => done(request.result)
    request.onerror = () => fail(request.error)
  })

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((done, fail) => {
    const request = indexedDB.open('isotherm-drive', 2)
    request.onupgradeneeded = () => {
      const { result } = request
      const has = (name: string) => result.objectStoreNames.contains(name)
      // A phone may have those of an earlier page.
      for (const name of ['waiting', 'refused', 'positions'])
        if (!has(name)) result.createObjectStore(name, { keyPath: 'id', autoIncrement: true })
      if (!has('pages')) result.createObjectStore('pages', { keyPath: 'token' })
    }
    request.onsuccess = () => done(request.result)
    request.onerror = () => {
      // It may be opened once the phone has space again.
      opened = undefined
      fail(request.error)
    }
  })
  return opened
}

/** Resolves once the disk has it: a phone that is killed right after has lost nothing. */
async function write(name: keyof Stores, work: (store: IDBObjectStore) => void): Promise<void> {
  const transaction = (await open()).transaction(name, 'readwrite', { durability: 'strict' })
  work(transaction.objectStore(name))
  await new Promise<void>((done, fail) => {
    transaction.oncomplete = () => done()
    transaction.onabort = () => fail(transaction.error)
  })
}

export const add = <K extends Listed>(name: K, value: Stores[K]): Promise<void> =>
  write(name, (store) => void store.add(value))

export const keepPage = (token: string, page: DriverPage): Promise<void> =>
  write('pages', (store) => void store.put({ token, page }))

export const remove = (name: Listed, id: number): Promise<void> => write(name, (store) => void store.delete(id))

/** All of a kind, oldest first. */
export const all = async <K extends Listed>(name: K): Promise<Stores[K][]> =>
  asPromise((await open()).transaction(name).objectStore(name).getAll() as IDBRequest<Stores[K][]>)

/** The page as it was read last. */
export const keptPage = async (token: string): Promise<DriverPage | null> => {
  const kept = await asPromise(
    (await open()).transaction('pages').objectStore('pages').get(token) as IDBRequest<Stores['pages'] | undefined>,
  )
  return kept?.page ?? null
}

/** Takes all of these away at once. */
export const removeAll = (name: Listed, ids: readonly number[]): Promise<void> =>
  write(name, (store) => {
    for (const id of ids) store.delete(id)
  })
