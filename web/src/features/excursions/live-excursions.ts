import { excursions } from '@isotherm/contract/excursions.ts'
import { refetchOn } from '../../lib/live-refetch.ts'

refetchOn('excursion', (id) => [
  [excursions.ofDevice.path, { id }],
  [excursions.summary.path, { id }],
])
