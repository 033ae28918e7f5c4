import { timingSafeEqual } from 'node:crypto'
import { isSampleImei } from '../../domain/identifiers.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { claimHash } from './claim-codes.ts'
import { changeSecret, type Hardware, lockHardware, type StoredHardware, setOwner } from './hardware.ts'

/** The hardware somebody wants, with what proves that they have it. */
export interface HardwareClaim {
  imei: string
  claimCode?: string | undefined
  /** No code is needed while nobody else has had the hardware: a device is to go on with the hardware it had last. */
  goesOn?: boolean
}

/**
 * Locks the hardware that is wanted; in its place is null where the claim is refused: unknown, or not the code of its label. Whether
 * it is in use is seen by the constraints of the assignments alone. Throws TOO_MANY_REQUESTS after too many refusals.
 */
export async function proveAll(ctx: Context, wanted: HardwareClaim[]): Promise<(StoredHardware | null)[]> {
  if (wanted.length === 0) return []
  ctx.services.claimFailures.refuseExceeded(ctx)
  const imeis = [...new Set(wanted.map(({ imei }) => imei))]
  const stock = await withLogin(ctx.tx, () => lockHardware(ctx.tx, imeis))
  return wanted.map((one) => {
    // The server itself speaks for a sample device: its hardware is nobody's to have.
    const hardware = isSampleImei(one.imei) ? undefined : stock.get(one.imei)
    if (hardware && isProven(ctx, hardware, one)) return hardware
    ctx.services.claimFailures.count(ctx)
    return null
  })
}

/** The same for one piece of hardware. Throws CLAIM_REFUSED too, or VALIDATION where the code is missing. */
export async function prove(ctx: Context, wanted: HardwareClaim): Promise<StoredHardware> {
  if (!wanted.goesOn && isCodeMissing(ctx, wanted.claimCode)) throw invalidField('claimCode', 'required')
  const [hardware] = await proveAll(ctx, [wanted])
  if (!hardware) throw new AppError('CLAIM_REFUSED')
  return hardware
}

export const isCodeMissing = ({ services }: Context, code: string | undefined): boolean =>
  services.config.claimCodes && code === undefined

function isProven(
  ctx: Context,
  { imei, claimHash: kept, ownerId }: StoredHardware,
  { claimCode, goesOn }: HardwareClaim,
) {
  if (!ctx.services.config.claimCodes || (goesOn && ownerId === ctx.companyId)) return true
  return kept !== null && claimCode !== undefined && timingSafeEqual(kept, claimHash(imei, claimCode))
}

/** Counts the refusal of hardware that turned out to be in use, and returns CLAIM_REFUSED, which says no more than any other. */
export function refuseInUse(ctx: Context): AppError {
  ctx.services.claimFailures.count(ctx)
  return new AppError('CLAIM_REFUSED')
}

/**
 * Makes the company the owner of hardware it has proven to have. What another company had before gets a new secret, since
 * that company knows the old one; returns those secrets by IMEI, to be shown this once.
 */
export async function takeOver(ctx: Context, hardware: StoredHardware[]): Promise<Map<string, string>> {
  const byImei = new Map(hardware.map((one) => [one.imei, one]))
  const others = [...byImei.values()].filter(({ ownerId }) => ownerId !== ctx.companyId)
  const secrets = new Map<string, string>()
  if (others.length === 0) return secrets
  await withLogin(ctx.tx, async () => {
    for (const { imei, ownerId } of others) if (ownerId !== null) secrets.set(imei, await changeSecret(ctx.tx, imei))
    await setOwner(
      ctx.tx,
      others.map(({ imei }) => imei),
      ctx.companyId,
    )
  })
  return secrets
}

/** Throws VALIDATION for a probe that the hardware does not have. */
export function checkProbe(hardware: Hardware, probe: number): void {
  if (probe > hardware.probes) throw invalidField('probe', 'tooBigNumber', { limit: hardware.probes })
}
