import { z } from 'zod'

/** The modules of the contract whose schemas the OpenAPI document names. A test fails on one that is missing here. */
export const namedModules = [
  'alarm-recipients',
  'alarm-rules',
  'alarms',
  'audit',
  'auth',
  'back-test',
  'basemap',
  'billing',
  'cards',
  'claim-code',
  'common',
  'company',
  'contacts',
  'csv-import',
  'dashboard',
  'bulk-uploads',
  'calibrations',
  'developer',
  'device-bulk',
  'device-history',
  'device-life',
  'device-limits',
  'device-reports',
  'devices',
  'dispatch-settings',
  'drivers',
  'epcis',
  'excursions',
  'export-settings',
  'fleet',
  'group-records',
  'group-reports',
  'groups',
  'ingest',
  'live',
  'new-order',
  'notifications',
  'on-call',
  'order-calls',
  'order-tracking',
  'order-life',
  'order-warnings',
  'order-templates',
  'orders',
  'insurances',
  'order-links',
  'order-evidence',
  'cold-treatments',
  'paging',
  'partners',
  'passkeys',
  'permissions',
  'places',
  'plans',
  'ports',
  'proofs',
  'readings-export',
  'record-budget',
  'records',
  'reports',
  'sandbox',
  'sandbox-clock',
  'saved-views',
  'second-factor',
  'security',
  'sessions',
  'share-links',
  'shipment-places',
  'shipment-evidence',
  'shipment-links',
  'shipment-products',
  'shipment-calls',
  'shipments',
  'sso',
  'stats',
  'subscription',
  'support',
  'texts',
  'triage',
  'triggers',
  'units',
  'users',
  'vehicles',
  'wallet',
  'webhook-events',
  'webhooks',
] as const

/**
 * The contract's own name of each schema: the name under which its module exports it, if that begins with a capital.
 * Throws where two different schemas have one name, because the document has one component for each name.
 */
export async function contractNames(): Promise<Map<z.ZodType, string>> {
  const names = new Map<z.ZodType, string>()
  const schemas = new Map<string, z.ZodType>()
  for (const file of namedModules) {
    const exported: Record<string, unknown> = await import(`@isotherm/contract/${file}.ts`)
    for (const [name, schema] of Object.entries(exported)) {
      if (!(schema instanceof z.ZodType) || !/^[A-Z]/.test(name) || names.has(schema)) continue
      if (schemas.has(name))
        throw new Error(`Two schemas of the contract are called ${name}: rename the one in ${file}.ts`)
      names.set(schema, name)
      schemas.set(name, schema)
    }
  }
  return names
}
