import { ChooseProtocol, coldTreatments, type Treatment } from '@isotherm/contract/cold-treatments.ts'
import { Radio, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { listed } from '../../../lib/named.ts'
import { withUnit } from '../../../lib/numbers.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { formatDate } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Failure } from '../../../ui/failure.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'

interface Props {
  shipmentId: string
  treatment: Treatment | null
  onClose: () => void
}

/** Chooses the protocol of a shipment; those that were not verified and are off say so. */
export function ProtocolDialog({ shipmentId, treatment, onClose }: Props) {
  const { t } = useTranslation('coldTreatments')
  const protocols = useCall(coldTreatments.protocols)
  const form = useEntityForm({
    initialValues: { protocolId: treatment?.protocol.id ?? '' },
    schema: ChooseProtocol,
    toBody: ({ protocolId }) => ({ protocolId, ...(treatment && { version: treatment.version }) }),
    save: (body) => call(coldTreatments.choose, { params: { id: shipmentId }, body }),
    onSaved: () => {
      toastSuccess(t('chosen'))
      void refetchCalls(coldTreatments.one)
      onClose()
    },
  })
  return (
    <FormDialog title={t('choose')} form={form} submitLabel={t('choose')} onClose={onClose}>
      {protocols.error && <Failure error={protocols.error} onRetry={() => void protocols.refetch()} />}
      <Radio.Group label={t('protocol')} {...form.fields.getInputProps('protocolId')}>
        <Stack gap="sm" mt="xs">
          {protocols.data?.map(({ id, rows, source, checkedOn, isAllowed }) => (
            <Radio
              key={id}
              value={id}
              disabled={!isAllowed}
              label={t(`protocols.${id}`)}
              description={
                <>
                  {listed(rows.map(({ maxC, days }) => t('rowText', { max: withUnit(maxC, '°C'), days })))}
                  <Text span display="block" size="xs" c="dimmed">
                    {isAllowed ? t('source', { source, day: formatDate(checkedOn, 'UTC') }) : t('unverifiedOff')}
                  </Text>
                </>
              }
            />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  )
}
