import { z } from 'zod'
import { del, file, get, patch, put } from './call.ts'
import {
  Country,
  Email,
  Id,
  Instant,
  Locale,
  namedFile,
  Phone,
  personalName,
  SeenVersion,
  TimeZone,
  text,
  Version,
  webAddress,
} from './common.ts'

/** Figures of the logo that browser and server agree on. `side`: the most pixels of a picture that is sent. */
export const logoLimits = { bytes: 1_048_576, side: 2_000 } as const

export const ChartType = z.enum(['single', 'multi'])
export const MapType = z.enum(['roadmap', 'satellite', 'terrain', 'hybrid'])
export type ChartType = z.infer<typeof ChartType>
export type MapType = z.infer<typeof MapType>

/** Places that the Department of Agriculture has given a code: food business operators. */
export const FboKind = z.enum(['puc', 'phc', 'coldStore', 'port', 'transporter'])
export type FboKind = z.infer<typeof FboKind>
export const FboCode = z.strictObject({
  code: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z0-9]{1,20}$/, 'fboCode'),
  kind: FboKind,
  name: text(120).nullable(),
})

/** Registrations of an exporter of perishables with South Africa's authorities. What was stored before some fields were there still is one. */
export const Ppecb = z.strictObject({
  exporterCode: text(40).nullable().default(null),
  exporterName: text(120),
  contactPerson: personalName(120).nullable().default(null),
  contactEmail: Email.nullable().default(null),
  /** The exporter's unique number, since the regulations of 2025. */
  ucn: text(40).nullable().default(null),
  /** Central Business Register of eCert. */
  cbr: text(40).nullable().default(null),
  phytclean: text(80).nullable().default(null),
  fboCodes: z.array(FboCode).max(200).default([]),
})
export type Ppecb = z.infer<typeof Ppecb>

/** The codes of a company's farms, or packhouses. */
export const fboCodesOf = (ppecb: Ppecb | null | undefined, wanted: FboKind): string[] => [
  ...new Set((ppecb?.fboCodes ?? []).flatMap(({ code, kind }) => (kind === wanted ? [code] : []))),
]

/** The registrations of the company that loading data begins with: its own number, and a place where it has one of the kind. */
export function registrationsIn(ppecb: Ppecb | null): { exporterUcn: string; puc: string; phc: string } {
  const only = (kind: FboKind) => {
    const [first, second] = fboCodesOf(ppecb, kind)
    return first !== undefined && second === undefined ? first : ''
  }
  return { exporterUcn: ppecb?.ucn ?? '', puc: only('puc'), phc: only('phc') }
}

/** How a company stands where plans are sold. */
export const SubscriptionState = z.enum(['trial', 'running', 'expired'])

const optionalText = (max: number) => z.string().nullable().describe(`at most ${max} characters`)
export const Company = z.object({
  id: Id,
  name: z.string(),
  country: z.string().nullable(),
  timezone: z.string(),
  locale: Locale,
  industry: optionalText(80),
  address: optionalText(300),
  city: optionalText(80),
  phone: z.string().nullable(),
  website: z.string().nullable(),
  registrationNumber: z.string().nullable(),
  taxNumber: z.string().nullable(),
  chartType: ChartType,
  mapType: MapType,
  ppecb: Ppecb.nullable(),
  /** The version of the logo, which stands in the address of its picture; null: there is none. */
  logoVersion: z.string().nullable(),
  /** False until the one-time company profile has been filled in. */
  profileCompleted: z.boolean(),
  /** The dashboard no longer lists the first steps of a new company. */
  firstStepsHidden: z.boolean(),
  /** The plan no longer runs: prompt to renew. */
  subscriptionExpired: z.boolean(),
  /** When the company may begin nothing new any more; null: never, because nothing is sold here. `isOwed`: a plan is not paid. */
  subscription: z.object({ state: SubscriptionState, until: Instant, isOwed: z.boolean() }).nullable(),
  version: Version,
})
export type Company = z.infer<typeof Company>

export const CompanyChange = z.strictObject({
  name: personalName(120).optional(),
  country: Country.nullable().optional(),
  timezone: TimeZone.optional(),
  locale: Locale.optional(),
  industry: text(80, 0).nullable().optional(),
  address: text(300, 0).nullable().optional(),
  city: text(80, 0).nullable().optional(),
  phone: Phone.nullable().optional(),
  website: webAddress(/^https?$/, 200)
    .nullable()
    .optional(),
  registrationNumber: text(60, 0).nullable().optional(),
  taxNumber: text(60, 0).nullable().optional(),
  version: SeenVersion,
})

export const company = {
  changeProfile: patch('/auth/company/profile', {
    needs: 'admin',
    summary: 'Changes the business profile; the first save also completes the one-time company profile',
    body: CompanyChange,
    returns: Company,
  }),
  changeChartSettings: patch('/auth/company/chartsettings', {
    needs: 'admin',
    summary: 'Sets chart type and map type for the whole company',
    body: z.strictObject({ chartType: ChartType.optional(), mapType: MapType.optional() }),
    returns: Company,
  }),
  hideFirstSteps: patch('/auth/company/first-steps', {
    needs: 'admin',
    summary: 'Hides the list of first steps on the dashboard for the whole company, or shows it again',
    body: z.strictObject({ hidden: z.boolean() }),
    returns: Company,
  }),
  changePpecb: patch('/auth/company/ppecb', {
    needs: 'admin',
    summary: 'Sets the PPECB exporter details (South African perishable export control)',
    body: Ppecb.nullable(),
    returns: Company,
  }),
  changeLogo: put('/auth/company/logo', {
    needs: 'admin',
    summary: 'Sets the logo of the company, which stands on its reports and on pages by link: PNG or JPEG',
    body: z.strictObject({ file: namedFile(logoLimits.bytes) }),
    bodyKind: 'form',
    // The file, and what stands around it.
    maxBodyBytes: logoLimits.bytes + 65_536,
    returns: Company,
  }),
  removeLogo: del('/auth/company/logo', {
    needs: 'admin',
    summary: 'Takes the logo away; reports that were written keep it',
    returns: Company,
  }),
  logo: get('/auth/company/logo/:version', {
    needs: 'session',
    summary: 'The picture of the logo, made smaller and without what else the file told',
    returns: file('image/png'),
  }),
  businessApi: get('/business-api', {
    needs: 'session',
    takesApiKey: true,
    summary:
      "The company's business profile, the API's base and documentation address, and the state of the company's key",
    returns: z.object({
      company: Company,
      baseUrl: z.string(),
      docsUrl: z.string(),
      /** The newest key that was not revoked, else the last one. */
      key: z.object({
        state: z.enum(['none', 'active', 'stopped', 'expired', 'revoked']),
        hint: z.string().nullable(),
      }),
    }),
  }),
}
