/** Whose token a step is sent with. */
export type Who = 'admin' | 'manager' | 'staff' | 'nobody' | 'device' | 'key'

/**
 * One request of the recorded scene, as a template: `«name»` stands for an id or a value of the tenant that sends it, `«#name»` for
 * a number, and `@@` for the letter of the tenant. `«role»` is the caller's: an address that an Admin
 * names may hear of private devices. So the same recording can be sent by each tenant, and with the ids of the other.
 */
export interface Step {
  who: Who
  method: string
  /** Below /app/api/v1. */
  path: string
  body?: unknown
  /** Its body goes as multipart/form-data. */
  isForm?: boolean
  /** Names what later steps need of the payload. */
  save?(payload: Payload): Record<string, unknown>
  /** Asked again until the payload is so: a file that is built in the background. */
  until?(payload: Payload): boolean
  /** Part of setting the scene only: sent again, it would make a private device public or empty the scene. */
  isOnce?: boolean
  /** The status that answers the valid request; 200 where it is left out. */
  status?: number
}

interface Listed {
  id: string
  /** Told once, where it was made just now. */
  secret?: string
}

/** The fields read from payloads of any call. */
export interface Payload {
  id: string
  key: string
  token: string
  state: string
  data: { id: string; state: string; files: { url: string }[] }[]
  keys: Listed[]
  endpoints: Listed[]
  jws: string
}

type Options = Omit<Step, 'who' | 'method' | 'path'>

const by =
  (who: Who) =>
  (method: string, path: string, options: Options = {}): Step => ({ who, method, path, ...options })
export const [admin, manager, staff, nobody, device, key] = [
  by('admin'),
  by('manager'),
  by('staff'),
  by('nobody'),
  by('device'),
  by('key'),
]

export const once = { isOnce: true }
export const inPeriod = 'from=«from»&to=«to»'
export const idAs = (name: string) => (payload: Payload) => ({ [name]: payload.id })
