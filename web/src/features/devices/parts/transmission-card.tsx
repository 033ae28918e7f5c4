import type { Device } from '@isotherm/contract/devices.ts'
import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import frames from '../../../ui/frames.module.css'
import { requestedTransmission } from '../requested-settings.ts'
import { useTransmission } from '../use-transmission.ts'
import classes from './details.module.css'
import { WaitingNotes } from './waiting-notes.tsx'

/** Pauses and starts transmission; says what the device has not confirmed yet. */
export function TransmissionCard({ device, mayEdit }: { device: Device; mayEdit: boolean }) {
  const { t } = useTranslation('devices')
  const switchTransmission = useTransmission()
  const isPaused = requestedTransmission(device) === 'paused'
  return (
    <Paper className={frames.panel} component="section" aria-label={t('transmission.title')}>
      <Group justify="space-between" gap="sm">
        <div>
          <Title order={2}>{t('transmission.title')}</Title>
          <Text size="sm" c="dimmed">
            {t(isPaused ? 'transmission.isPaused' : 'transmission.isStarted')}
          </Text>
        </div>
        {mayEdit && (
          <Button
            variant="default"
            leftSection={isPaused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
            onClick={() => switchTransmission(device)}
          >
            {t(`transmission.${isPaused ? 'started' : 'paused'}.action`)}
          </Button>
        )}
      </Group>
      <div className={classes.notes}>
        <WaitingNotes device={device} />
      </div>
    </Paper>
  )
}
