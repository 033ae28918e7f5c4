import { alarms } from '@isotherm/contract/alarms.ts'
import { Button, Group, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { IconKey, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { keyOf, queryClient, useCall } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import { Failure } from '../../../ui/failure.tsx'

/** Opens what webhooks are signed with, for those who may edit alarms. */
export function WebhookKeyButton() {
  const { t } = useTranslation('alarms')
  const [opened, setOpened] = useState(false)
  if (!useCan('alarms.addOrEdit')) return null
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconKey size={16} aria-hidden="true" />}
        onClick={() => setOpened(true)}
      >
        {t('webhookKey.open')}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('webhookKey.title')}
        closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      >
        <WebhookKeyFacts />
      </Modal>
    </>
  )
}

function WebhookKeyFacts() {
  const { t } = useTranslation('alarms')
  const { data, error, refetch } = useCall(alarms.webhookKey, undefined, { staleTimeMs: Number.POSITIVE_INFINITY })
  const replace = () =>
    confirm({
      title: t('webhookKey.replaceTitle'),
      text: t('webhookKey.replaceText'),
      action: t('webhookKey.replace'),
      destructive: true,
      run: async () => {
        queryClient.setQueryData(keyOf(alarms.webhookKey), await call(alarms.rotateWebhookKey))
        toastSuccess(t('webhookKey.replaced'))
      },
    })
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  return (
    <Stack>
      <Text size="sm">{t('webhookKey.means')}</Text>
      {data ? (
        <TextInput
          label={t('webhookKey.key')}
          value={data.secret}
          readOnly
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
        />
      ) : (
        <Skeleton height={58} />
      )}
      <Text size="sm">
        <code>X-Isotherm-Signature: sha256=HMAC-SHA256(key, X-Isotherm-Timestamp + "." + body)</code>
      </Text>
      <Group gap="sm">
        <Button
          variant="default"
          color="red.7"
          disabled={!data}
          leftSection={<IconRefresh size={16} aria-hidden="true" />}
          onClick={replace}
        >
          {t('webhookKey.replace')}
        </Button>
      </Group>
    </Stack>
  )
}
