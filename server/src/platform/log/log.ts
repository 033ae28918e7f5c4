import { pino } from 'pino'
import { withoutKeys } from '../auth/api-key-format.ts'
import { LogOutput } from './log-output.ts'

export type Log = pino.Logger

/** Links carry their token in the path or after the #, and somebody may put an API key into an address: neither reaches the log. Takes an address, or a text with addresses in it. */
export const redactUrl = (text: string): string =>
  withoutKeys(text, '[redacted]').replace(
    /(resetpassword|verify|setup|reset|usersetup|acknowledge|track|drive|license|verify-report|report-files|message-reports\/africastalking)([/#])(?!(?:resend|check)(?:[?#\s]|$))[^/?#\s]+/g,
    '$1$2[redacted]',
  )

/** pg hangs its whole client, with every prepared statement, on the error of an idle connection. */
function serializeError(error: Error) {
  const { client: _, ...rest } = pino.stdSerializers.err(error)
  return rest
}

// One for the process: several logs of it must not mix their lines.
let output: LogOutput | undefined
function standardOutput(): LogOutput {
  if (output) return output
  const made = new LogOutput(1)
  process.on('exit', () => made.flushSync())
  output = made
  return made
}

export const createLog = (level: string): Log =>
  pino(
    {
      level,
      redact: ['req.headers.authorization', 'req.headers.cookie'],
      serializers: {
        req: (request: { method: string; url: string; ip?: string; id?: string }) => ({
          method: request.method,
          url: redactUrl(request.url),
          address: request.ip,
        }),
        err: serializeError,
      },
    },
    standardOutput(),
  )
