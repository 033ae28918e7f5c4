import { places } from '@isotherm/contract/places.ts'
import { onPush } from '../../lib/realtime.ts'

const pathOf = { geofence: places.geofences.path, pointOfInterest: places.pointsOfInterest.path }

// Shows on every open map at once what somebody else drew, changed or deleted.
onPush('place', (client, { kind }) => {
  void client.invalidateQueries({ queryKey: [pathOf[kind]] })
})
