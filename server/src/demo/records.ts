import { NewGroupRecord, NewRecord } from '@isotherm/contract/records.ts'
import type { z } from 'zod'
import { addGroupRecord, addRecord } from '../features/records/add-record.ts'
import type { Context } from '../platform/context.ts'
import type { Services } from '../platform/services.ts'
import { asAdmin } from './actor.ts'

const hourMs = 3_600_000
const outreach = { lot: 'PENTA-2611-07', budget: { aboveC: 8, aboveMinutes: 24 * 60, neverAboveC: 25 } }

/**
 * Gives a company without records those of the demo: a journey that is over, one of the same lot that goes on, one of two
 * devices, one that is planned, and two of a group, one of them over. Nobody has signed any: that takes a person's password.
 */
export const ensureRecords = (services: Services, companyId: number): Promise<void> =>
  asAdmin(services, companyId, async (ctx) => {
    const known = await ctx.tx.selectFrom('records').select('id').where('company_id', '=', companyId).limit(1).execute()
    if (known.length > 0) return
    for (const draft of await wanted(ctx)) {
      const record = NewRecord.safeParse(draft)
      if (record.success) await addRecord(ctx, record.data)
    }
    const [group] = await ctx.tx
      .selectFrom('groups')
      .select(['id', 'name'])
      .where('company_id', '=', companyId)
      .where('name', '=', 'On the road')
      .execute()
    if (group) for (const draft of ofGroup(ctx)) await addGroupRecord(ctx, group, NewGroupRecord.parse(draft))
  })

const ahead = ({ clock }: Context, hours: number) => new Date(clock.now().getTime() + hours * hourMs).toISOString()
const ago = (ctx: Context, hours: number) => ahead(ctx, -hours)

/** Those whose devices the fleet lacks are left out by the caller: a record has at least one. */
async function wanted(ctx: Context): Promise<z.input<typeof NewRecord>[]> {
  const devices = await ctx.tx
    .selectFrom('devices')
    .select(['id', 'name'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('id')
    .execute()
  const idsOf = (pattern: RegExp) => devices.filter(({ name }) => pattern.test(name)).map(({ id }) => String(id))
  const box = idsOf(/Outreach/)
  return [
    {
      name: 'Outreach round, first week',
      ...outreach,
      deviceIds: box,
      startAt: ago(ctx, 14 * 24),
      endAt: ago(ctx, 9 * 24),
    },
    {
      name: 'Outreach round, second week',
      ...outreach,
      deviceIds: box,
      startAt: ago(ctx, 3 * 24),
      note: 'Ice packs changed every morning.',
    },
    {
      name: 'Vaccines to Yaba',
      ...{
        lot: 'VX-2231',
        budget: outreach.budget,
        deviceIds: idsOf(/^(Van LND|Insulin fridge)/),
        startAt: ago(ctx, 30),
      },
      note: 'Two pallets, seal 4711. From the van into the fridge of the pharmacy.',
    },
    {
      name: 'Quarterly audit of the cold store',
      deviceIds: idsOf(/^Apapa/),
      startAt: ahead(ctx, 20),
      endAt: ahead(ctx, 68),
    },
  ]
}

const ofGroup = (ctx: Context): z.input<typeof NewGroupRecord>[] => [
  { name: 'Weekend tour', startAt: ago(ctx, 100), endAt: ago(ctx, 64) },
  { name: 'This week’s tour', startAt: ago(ctx, 40), endAt: ahead(ctx, 100) },
]
