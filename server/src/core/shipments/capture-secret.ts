import { seal, unseal } from '../../platform/secrets/seal.ts'

const placeOf = (companyId: number) => ({
  ...{ column: 'export_settings.capture_secret', companyId, id: String(companyId) },
})

/** The secret of a company's capture interface, sealed for the database. */
export const sealCaptureSecret = (secret: Buffer, companyId: number, text: string): Buffer =>
  seal(secret, placeOf(companyId), text)

/** The secret that was sealed; null where it cannot be opened any more. */
export const openCaptureSecret = (secret: Buffer, companyId: number, sealed: Buffer): string | null =>
  unseal(secret, placeOf(companyId), sealed)
