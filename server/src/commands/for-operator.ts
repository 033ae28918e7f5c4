import { RefusedError } from '../platform/backup/refused.ts'
import { ConfigError } from '../platform/config/config.ts'
import { LockedError } from '../platform/db/embedded/lock.ts'
import { StartError } from '../platform/db/embedded/postmaster.ts'
import { StartRefused } from '../platform/errors/start-refused.ts'

/** Errors whose message is all that an operator needs. */
const sentences = [ConfigError, LockedError, StartError, RefusedError, StartRefused]

const lookAtDatabase = 'Look at DATABASE_URL, and whether that PostgreSQL runs.'
/** PostgreSQL answers, and does not let us in: password, login, database; it starts, stops or has no room for one more. */
const loginRefusals = new Set(['28P01', '28000', '3D000', '42501', '57P03', '53300'])

/** The sentence for an error that the operator can mend: a stack would only hide it. Null for any other. */
export function forOperator(error: unknown): string | null {
  if (sentences.some((kind) => error instanceof kind)) return (error as Error).message
  const { code = '', message = '' } = error as NodeJS.ErrnoException
  if (code.startsWith('ERR_PARSE_ARGS')) return message
  if (loginRefusals.has(code)) return `PostgreSQL refuses the login: ${message}. ${lookAtDatabase}`
  if (code === '53100') return `PostgreSQL has no room left on its disk: ${message}.`
  return ofSystem(error as SystemError)
}

interface SystemError extends NodeJS.ErrnoException {
  port?: number
  /** The attempts at each address of a name. */
  errors?: Error[]
}

function ofSystem({ code = '', syscall = '', port, path, message, errors }: SystemError): string | null {
  const isOfFile = path !== undefined && syscall !== 'connect' && syscall !== 'listen'
  if (code === 'ENOSPC' || code === 'EDQUOT') return `No room is left on the disk${path ? ` of ${path}` : ''}.`
  if (code === 'EADDRINUSE') return `Port ${port} is taken: set PORT, MQTT_PORT or METRICS_PORT to another.`
  if (syscall === 'listen')
    return `Nothing can listen there: ${message}. Look at HOST, PORT and the others of that kind.`
  if (['connect', 'getaddrinfo'].includes(syscall) || errors?.length) {
    return `The database does not answer: ${message || errors?.map((one) => one.message).join(', ')}. ${lookAtDatabase}`
  }
  if (isOfFile && ['EACCES', 'EPERM', 'EROFS'].includes(code))
    return `${path} is closed to the user that Isotherm runs as (uid ${process.getuid?.()}): ${message}.`
  if (isOfFile && ['EEXIST', 'ENOTDIR', 'ENOENT'].includes(code)) return `${path} cannot be used: ${message}.`
  return null
}
