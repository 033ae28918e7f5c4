import { useTranslation } from 'react-i18next'
import { AlarmsFrame } from '../../features/alarms/parts/alarms-frame.tsx'
import { TriggerList } from '../../features/alarms/parts/trigger-list.tsx'
import { HandOverNews } from '../../features/on-call/parts/hand-over-news.tsx'

/** The alarms that have fired, below what the one on call before wants known. */
export function TriggeredPage() {
  const { t } = useTranslation('alarms')
  return (
    <AlarmsFrame>
      <HandOverNews />
      <TriggerList empty={{ title: t('triggers.empty.title'), text: t('triggers.empty.text') }} />
    </AlarmsFrame>
  )
}
