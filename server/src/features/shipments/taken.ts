import pg from 'pg'
import { invalidField } from '../../platform/errors/app-error.ts'

/** Says at its field that another shipment has the same reference. Throws VALIDATION. */
export async function orTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.constraint === 'shipments_reference')
      throw invalidField('reference', 'rule.referenceTaken')
    throw error
  }
}
