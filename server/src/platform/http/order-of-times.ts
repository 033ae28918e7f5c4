import { orderFault } from '@isotherm/contract/common.ts'
import { invalidField } from '../errors/app-error.ts'

/** Throws a 422 at `field` where a start is not before its end. */
export function refuseDisorder(field: string, start: Date, end: Date): void {
  switch (orderFault(start.getTime(), end.getTime())) {
    case 'startAfterEnd':
      throw invalidField(field, 'rule.startAfterEnd')
    case 'startNotBeforeEnd':
      throw invalidField(field, 'rule.startNotBeforeEnd')
  }
}
