import { parseArgs } from 'node:util'
import { rotateSigningKey } from '../../platform/config/signing-keys.ts'
import { acceptRestore } from './accept-restore.ts'
import { grantUnits } from './grant-units.ts'
import { importDevices } from './import-devices.ts'
import { invite } from './invite.ts'
import { issueLicences } from './issue-licences.ts'
import { printLabels } from './print-labels.ts'
import type { ProviderTools } from './provider-tools.ts'
import { showCompanies, showDevices, showLicences } from './show.ts'
import { UsageError } from './usage-error.ts'

const usage = `The provider's desk: hardware and licence keys.

  provider devices import FILE.csv [--force] [--replace] [--labels FILE.pdf]
                                                           columns imei, type and, if you like, secret and probes
  provider devices labels FILE.pdf [IMEI ...]              new codes on labels: for these, or for all free hardware without one
  provider devices list
  provider licences issue --devices N --months M [--count K]
  provider licences list
  provider companies list
  provider invite MAIL                                     a sign-up link, for REGISTRATION=invite
  provider wallet grant --company ID --kind sms|chat --units N [--reference TEXT]
  provider audit rotate-key                                a new key for the checkpoints of audit trails
  provider audit accept-restore --reason TEXT              after a restore of an older database: trails are signed on from there

  --force    takes IMEIs whose check digit is wrong
  --replace  gives hardware that is known already the type, probes and secret of the file
  --labels   prints the codes that the import makes as a sheet of labels with QR codes (A4, 3 x 8, 70 x 36 mm)

Who sets hardware up must give the code of its label. A code is made by the import, for hardware that has none, and is
shown this once, in the output and on the labels. Whoever has lost it needs a new one: devices labels FILE.pdf IMEI`

const options = {
  devices: { type: 'string' },
  months: { type: 'string' },
  count: { type: 'string', default: '1' },
  force: { type: 'boolean', default: false },
  replace: { type: 'boolean', default: false },
  labels: { type: 'string' },
  company: { type: 'string' },
  kind: { type: 'string' },
  units: { type: 'string' },
  reference: { type: 'string' },
  reason: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

async function run(args: string[], tools: ProviderTools): Promise<void> {
  const { values, positionals } = parse(args)
  const [what = '', verb = '', file, ...more] = positionals
  if (what === 'invite' && positionals.length <= 2) return invite(tools, verb)
  switch (`${what} ${verb}`.trim()) {
    case 'devices import':
      return importDevices(tools, file, values)
    case 'devices labels':
      return printLabels(tools, file, more)
    case 'devices list':
      return showDevices(tools)
    case 'licences issue':
      return issueLicences(tools, values)
    case 'licences list':
      return showLicences(tools)
    case 'companies list':
      return showCompanies(tools)
    case 'audit rotate-key':
      return rotateKey(tools)
    case 'audit accept-restore':
      return acceptRestore(tools, values.reason)
    case 'wallet grant':
      return grantUnits(tools, values)
    default:
      if (values.help) return tools.out(usage)
      throw new UsageError(`${positionals.length > 0 ? `There is no "${positionals.join(' ')}".\n\n` : ''}${usage}`)
  }
}

async function rotateKey({ dataDir, out }: ProviderTools): Promise<void> {
  if (!dataDir) throw new UsageError('No DATA_DIR, where the keys are.')
  const id = await rotateSigningKey(dataDir, new Date())
  out(`Checkpoints are signed with key ${id} from now on; the key before vouches for it.`)
}

/** Runs one command of the provider; resolves with the exit code: 0, or 2 when it was not understood or refused. */
export async function provider(
  args: string[],
  tools: Pick<ProviderTools, 'pool' | 'out'> & Partial<ProviderTools>,
): Promise<number> {
  const warn = tools.warn ?? tools.out
  try {
    await run(args, { ...tools, warn })
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    warn(error.message)
    return 2
  }
}
