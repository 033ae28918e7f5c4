import { places } from '@isotherm/contract/places.ts'
import { Button, CloseButton } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { withUnit } from '../../../lib/numbers.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Silenced } from '../../../shared/silenced.tsx'
import { confirm } from '../../../ui/confirm.ts'
import type { Chosen } from '../fence-shapes.ts'
import { Swatch } from './colour-choice.tsx'
import classes from './places.module.css'

interface PlaceCardProps {
  chosen: Chosen
  onEdit: () => void
  onClose: () => void
}

/** A chosen geofence or point of interest; changed and deleted from here by those who may. */
export function PlaceCard({ chosen, onEdit, onClose }: PlaceCardProps) {
  const { t } = useTranslation('places')
  const mayEdit = useCan('devices.addOrEdit')
  const { name, notify } = chosen.kind === 'geofence' ? chosen.fence : chosen.point
  return (
    <section className={classes.card} aria-label={name}>
      <div className={classes.head}>
        {chosen.kind === 'geofence' ? <Swatch colour={chosen.fence.colour} /> : <span className={classes.pin} />}
        <h2>{name}</h2>
        <CloseButton aria-keyshortcuts="Escape" aria-label={t('common:actions.close')} onClick={onClose} />
      </div>
      <p className={classes.facts}>
        {useSize(chosen)}
        <br />
        {t(`notify.${notify.in && notify.out ? 'both' : notify.in ? 'in' : notify.out ? 'out' : 'none'}`)}
      </p>
      {mayEdit && (
        <div className={classes.buttons}>
          <Button variant="default" size="xs" leftSection={<IconPencil size={15} />} onClick={onEdit}>
            {t('common:actions.edit')}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconTrash size={15} />}
            onClick={() => askToDelete(chosen, t, onClose)}
          >
            {t('common:actions.delete')}
          </Button>
        </div>
      )}
    </section>
  )
}

function useSize(chosen: Chosen): string {
  const { t } = useTranslation('places')
  if (chosen.kind === 'point')
    return `${t('kinds.point')} · ${t('point.radius')} ${withUnit(chosen.point.radiusM, 'm', 0)}`
  const { area, areaKm2, colour } = chosen.fence
  const size = areaKm2 < 1 ? withUnit(areaKm2 * 1e6, 'm²', 0) : withUnit(areaKm2, 'km²', areaKm2 < 100 ? 1 : 0)
  return `${t(`kinds.${area.kind}`)} · ${t(`colours.${colour}`)} · ${size}`
}

function askToDelete(chosen: Chosen, t: ReturnType<typeof useTranslation<'places'>>['t'], onDone: () => void) {
  const group = chosen.kind === 'geofence' ? 'fence' : 'point'
  const { id, name } = chosen.kind === 'geofence' ? chosen.fence : chosen.point
  confirm({
    title: t(`${group}.deleteTitle`, { name }),
    text: t(`${group}.deleteText`),
    action: t('common:actions.delete'),
    destructive: true,
    warning: <Silenced of={{ without: chosen.kind === 'geofence' ? 'geofence' : 'pointOfInterest', id }} />,
    run: async () => {
      await call(chosen.kind === 'geofence' ? places.removeGeofence : places.removePointOfInterest, { params: { id } })
      await refetchCalls(places.geofences, places.pointsOfInterest)
      toastSuccess(t(`${group}.deleted`))
      onDone()
    },
  })
}
