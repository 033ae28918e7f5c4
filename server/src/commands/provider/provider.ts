import { parseArgs } from 'node:util'
import { rotateSigningKey } from '../../platform/config/signing-keys.ts'
import { acceptRestore } from './accept-restore.ts'
import { approve } from './approvals.ts'
import { setBillingPaused } from './billing.ts'
import { grantUnits } from './grant-units.ts'
import { importDevices } from './import-devices.ts'
import { importTransfers } from './import-transfers.ts'
import { addInsurance, changeInsurance, retireInsurance, showInsurances } from './insurances.ts'
import { invite } from './invite.ts'
import { exportInvoices } from './invoices.ts'
import { issueLicences } from './issue-licences.ts'
import { setOverdraft } from './overdraft.ts'
import { showPayments } from './payments.ts'
import { addDefaultPlans, addPlan, archivePlan, changePlan, showPlans } from './plans.ts'
import { setPrice, showPrices } from './prices.ts'
import { printLabels } from './print-labels.ts'
import type { ProviderTools } from './provider-tools.ts'
import { refundPayment, resolvePayment } from './refunds.ts'
import { answerRequest, closeRequest, showRequests } from './requests.ts'
import { resetSecondFactor } from './reset-second-factor.ts'
import { setSeller, showSeller } from './seller.ts'
import { setBank, showBanks } from './seller-banks.ts'
import { showCompanies, showDevices, showLicences } from './show.ts'
import { showLog } from './show-log.ts'
import { verifyDomain } from './sso.ts'
import { removeItem, setItem, showStore } from './store.ts'
import { exemptFromTax, verifyTaxNumber } from './tax-standing.ts'
import { setTax, showTaxes } from './taxes.ts'
import { recordTransfer, voidTransfer } from './transfers.ts'
import { blockCountry, setUnits, showUnits } from './units.ts'
import { helpFor, refuseFurtherWords, usage } from './usage.ts'
import { UsageError } from './usage-error.ts'

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
  plan: { type: 'string' },
  name: { type: 'string' },
  users: { type: 'string' },
  emails: { type: 'string' },
  phones: { type: 'string' },
  retention: { type: 'string' },
  modules: { type: 'string' },
  currency: { type: 'string' },
  billing: { type: 'string' },
  amount: { type: 'string' },
  from: { type: 'string' },
  bundle: { type: 'boolean', default: false },
  country: { type: 'string' },
  weight: { type: 'string' },
  percent: { type: 'string' },
  address: { type: 'string' },
  'tax-number': { type: 'string' },
  email: { type: 'string' },
  text: { type: 'string' },
  payment: { type: 'string' },
  invoice: { type: 'string' },
  withheld: { type: 'string' },
  certificate: { type: 'string' },
  to: { type: 'string' },
  holder: { type: 'string' },
  bank: { type: 'string' },
  account: { type: 'string' },
  bic: { type: 'string' },
  branch: { type: 'string' },
  apply: { type: 'boolean', default: false },
  insurer: { type: 'string' },
  'min-premium': { type: 'string' },
  'min-worth': { type: 'string' },
  'max-worth': { type: 'string' },
  deductible: { type: 'string' },
  products: { type: 'string' },
  clause: { type: 'string' },
  lead: { type: 'string' },
  countries: { type: 'string' },
  domain: { type: 'string' },
  picture: { type: 'string' },
  locale: { type: 'string' },
  'by-hand': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
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
  if (values.help) return tools.out(helpFor(positionals))
  refuseFurtherWords(positionals)
  const [what = '', verb = '', file, ...more] = positionals
  if (what === 'invite' && positionals.length <= 2) return invite(tools, verb)
  switch (`${what} ${verb}`.trim()) {
    case 'devices import':
      return importDevices(tools, file, values)
    case 'devices labels':
      return printLabels(tools, file, more)
    case 'devices approve':
      return approve(tools, file, more[0])
    case 'devices list':
      return showDevices(tools)
    case 'licences issue':
      return issueLicences(tools, values)
    case 'licences list':
      return showLicences(tools)
    case 'users reset-second-factor':
      return resetSecondFactor(tools, values.email)
    case 'companies list':
      return showCompanies(tools)
    case 'plans list':
      return showPlans(tools)
    case 'plans defaults':
      return addDefaultPlans(tools)
    case 'plans add':
      return addPlan(tools, file, values)
    case 'plans change':
      return changePlan(tools, file, values)
    case 'plans archive':
      return archivePlan(tools, file)
    case 'prices list':
      return showPrices(tools, file)
    case 'prices set':
      return setPrice(tools, file, values)
    case 'prices end':
      return setPrice(tools, file, values, true)
    case 'units list':
      return showUnits(tools)
    case 'units set':
      return setUnits(tools, values)
    case 'units block':
      return blockCountry(tools, values)
    case 'units overdraft':
      return setOverdraft(tools, values)
    case 'tax list':
      return showTaxes(tools)
    case 'tax set':
      return setTax(tools, values)
    case 'tax end':
      return setTax(tools, values, true)
    case 'seller show':
      await showSeller(tools)
      return showBanks(tools)
    case 'seller set':
      return setSeller(tools, values)
    case 'seller bank':
      return setBank(tools, values)
    case 'seller bank-end':
      return setBank(tools, values, true)
    case 'tax verify':
      return verifyTaxNumber(tools, values)
    case 'tax exempt':
      return exemptFromTax(tools, values)
    case 'payments list':
      return showPayments(tools)
    case 'support list':
      return showRequests(tools, false)
    case 'features list':
      return showRequests(tools, true)
    case 'support answer':
    case 'features answer':
      return answerRequest(tools, file, values.text)
    case 'support close':
      return closeRequest(tools, file)
    case 'store list':
      return showStore(tools)
    case 'store set':
      return setItem(tools, file, values)
    case 'store remove':
      return removeItem(tools, file)
    case 'payments record':
      return recordTransfer(tools, values)
    case 'payments import':
      return importTransfers(tools, file, values)
    case 'payments void':
      return voidTransfer(tools, values)
    case 'payments refund':
      return refundPayment(tools, values)
    case 'payments resolve':
      return resolvePayment(tools, file, values)
    case 'invoices export':
      return exportInvoices(tools, values)
    case 'billing pause':
      return setBillingPaused(tools, true, values)
    case 'billing resume':
      return setBillingPaused(tools, false, values)
    case 'insurances list':
      return showInsurances(tools)
    case 'insurances add':
      return addInsurance(tools, values)
    case 'insurances change':
      return changeInsurance(tools, file, values)
    case 'insurances retire':
      return retireInsurance(tools, file)
    case 'sso verify-domain':
      return verifyDomain(tools, values)
    case 'log list':
      return showLog(tools)
    case 'audit rotate-key':
      return rotateKey(tools)
    case 'audit accept-restore':
      return acceptRestore(tools, values.reason)
    case 'wallet grant':
      return grantUnits(tools, values)
    default:
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
