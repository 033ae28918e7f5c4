import { IconZoomOut, IconZoomReset } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ZoomButton } from './zoom-button.tsx'

/** The buttons of a chart that shows a part: loaded once somebody has zoomed. */
export function ZoomedButtons({ onAll, onOut }: { onAll: () => void; onOut: () => void }) {
  const { t } = useTranslation('charts')
  return (
    <>
      <ZoomButton label={t('showAll')} onClick={onAll}>
        <IconZoomReset size={17} />
      </ZoomButton>
      <ZoomButton label={t('zoomOut')} onClick={onOut}>
        <IconZoomOut size={17} />
      </ZoomButton>
    </>
  )
}
