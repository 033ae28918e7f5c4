import { Button, Paper } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { PlaceEdit } from '../use-place-editor.ts'
import classes from './places.module.css'

/** Explains what to do with the mouse now; Escape ends it. */
export function DrawHelp({ edit, onCancel }: { edit: PlaceEdit; onCancel: () => void }) {
  const { t } = useTranslation('places')
  const drawn = { circle: 'helpCircle', polygon: 'helpPolygon', point: 'helpPoint' }[edit.kind]
  const changed = { circle: 'helpEditCircle', polygon: 'helpEdit', point: 'helpMove' }[edit.kind]
  return (
    <Paper className={classes.help} shadow="sm" withBorder role="status">
      <p>{t(`draw.${edit.shape ? changed : drawn}`)}</p>
      {!edit.shape && (
        <Button size="compact-sm" variant="default" aria-keyshortcuts="Escape" onClick={onCancel}>
          {t('draw.cancel')}
        </Button>
      )}
    </Paper>
  )
}
