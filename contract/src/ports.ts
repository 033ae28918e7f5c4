import { z } from 'zod'
import { get } from './call.ts'
import { Country, text } from './common.ts'

export const portTypes = ['sea', 'air'] as const
export const PortType = z.enum(portTypes)
export type PortType = z.infer<typeof PortType>

/** At most so many ports are answered. */
export const portsFound = 50

/** A sea port or an airport. Its position says where it lies, and is no fence unless `radiusM` is there. */
export const Port = z.object({
  type: PortType,
  /** UN/LOCODE by sea, IATA by air. */
  code: z.string(),
  name: z.string(),
  aliases: z.array(z.string()),
  country: z.string(),
  lat: z.number().nullable(),
  lon: z.number().nullable(),
  /** IANA. */
  timezone: z.string().nullable(),
  /** Around its terminal, where that was looked at. */
  radiusM: z.number().int().nullable(),
})
export type Port = z.infer<typeof Port>

export const PortQuery = z.strictObject({
  type: PortType.optional(),
  country: Country.optional(),
  search: text(100, 0).optional(),
})

export const ports = {
  list: get('/export/ports', {
    needs: 'dispatch.view',
    summary: 'Ports and airports by type and country, or by name, code, alias or country name, the best first',
    query: PortQuery,
    returns: z.array(Port),
  }),
}
