import { shipments } from '@isotherm/contract/shipment-calls.ts'
import {
  DocumentKind,
  documentKinds,
  type ShipmentDetails,
  type ShipmentDocument,
} from '@isotherm/contract/shipments.ts'
import { ActionIcon, Button, Group, NativeSelect, Text, TextInput, Tooltip } from '@mantine/core'
import { IconDownload, IconFileUpload, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { download } from '../../../lib/download.ts'
import { named } from '../../../lib/named.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import { FileButton } from '../../../ui/file-chooser.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import frames from '../../../ui/frames.module.css'
import { Panel } from '../../../ui/panel.tsx'
import classes from './shipments.module.css'

/** The documents of a shipment with their versions and hashes. */
export function ShipmentDocuments({ shipment }: { shipment: ShipmentDetails }) {
  const { t } = useTranslation('shipments')
  const mayEdit = useCan('dispatch.addOrEdit')
  const [added, setAdded] = useState<{ newer?: ShipmentDocument } | null>(null)
  const newest = new Set(
    [...Map.groupBy(shipment.documents, ({ documentNo }) => documentNo).values()].map(([first]) => first?.id),
  )
  return (
    <Panel title={t('documents.title')}>
      {shipment.documents.length === 0 && <Text size="sm">{t('documents.none')}</Text>}
      <ul className={classes.milestones}>
        {shipment.documents.map((document) => (
          <li key={document.id}>
            <div className={classes.document}>
              <strong>{document.title}</strong>
              <p>{`${t(`document.${document.kind}`)} · ${t('documents.version')} ${document.version} · ${document.type.toUpperCase()}`}</p>
              <p className={frames.note}>{`${document.addedByName}, ${formatTime(document.addedAt)}`}</p>
              <p className={classes.hash}>{`SHA-256 ${document.sha256}`}</p>
            </div>
            <DocumentActs
              document={document}
              onNewer={mayEdit && newest.has(document.id) ? () => setAdded({ newer: document }) : undefined}
              mayRemove={mayEdit}
            />
          </li>
        ))}
      </ul>
      {mayEdit && (
        <Button mt="sm" variant="default" leftSection={<IconFileUpload size={16} />} onClick={() => setAdded({})}>
          {t('documents.add')}
        </Button>
      )}
      {added && <DocumentDialog shipmentId={shipment.id} newer={added.newer} onClose={() => setAdded(null)} />}
    </Panel>
  )
}

interface DocumentActsProps {
  document: ShipmentDocument
  onNewer: (() => void) | undefined
  mayRemove: boolean
}

function DocumentActs({ document, onNewer, mayRemove }: DocumentActsProps) {
  const { t } = useTranslation('shipments')
  const { id, title, version, type } = document
  const load = async () => {
    try {
      download(await call(shipments.document, { params: { id } }, { toastAll: true }), `${title}-v${version}.${type}`)
    } catch {
      // The call has toasted it.
    }
  }
  const remove = () =>
    confirm({
      ...{
        title: t('documents.removeTitle', { title, version }),
        text: t('documents.removeText'),
        action: t('documents.remove'),
      },
      destructive: true,
      run: async () => {
        await call(shipments.removeDocument, { params: { id } })
        toastSuccess(t('documents.removed'))
        await refetchCalls(shipments.one)
      },
    })
  return (
    <Group gap={6}>
      {onNewer && (
        <Button size="compact-sm" variant="subtle" onClick={onNewer}>
          {t('documents.newVersion')}
        </Button>
      )}
      <Tooltip label={t('documents.download')}>
        <ActionIcon
          variant="default"
          aria-label={named(t('documents.download'), `${title}, ${version}`)}
          onClick={() => void load()}
        >
          <IconDownload size={16} />
        </ActionIcon>
      </Tooltip>
      {mayRemove && (
        <Tooltip label={t('documents.remove')}>
          <ActionIcon
            variant="default"
            aria-label={named(t('documents.remove'), `${title}, ${version}`)}
            onClick={remove}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  )
}

const titleLength = 120

interface DocumentDialogProps {
  shipmentId: string
  /** The document of which a new version comes. */
  newer?: ShipmentDocument | undefined
  onClose: () => void
}

function DocumentDialog({ shipmentId, newer, onClose }: DocumentDialogProps) {
  const { t } = useTranslation('shipments')
  const form = useEntityForm({
    initialValues: { kind: newer?.kind ?? 'billOfLading', title: newer?.title ?? '', file: null as File | null },
    required: ['title', 'file'],
    toBody: ({ kind, title, file }) => ({
      ...{ kind: DocumentKind.parse(kind), title: title.trim(), file: file as File },
      ...(newer && { documentNo: newer.documentNo }),
    }),
    save: (body) => call(shipments.addDocument, { params: { id: shipmentId }, body }, { toastAll: true }),
    onSaved: () => {
      toastSuccess(t('documents.added'))
      void refetchCalls(shipments.one)
      onClose()
    },
  })
  const { fields } = form
  const { file, title } = fields.getValues()
  const choose = (chosen: File) => {
    fields.setFieldValue('file', chosen)
    if (title.trim() === '') fields.setFieldValue('title', chosen.name.slice(0, titleLength))
  }
  const act = t(newer ? 'documents.newVersion' : 'documents.add')
  return (
    <FormDialog title={newer ? named(act, newer.title) : act} form={form} submitLabel={act} onClose={onClose}>
      <NativeSelect
        label={t('documents.kind')}
        data={documentKinds.map((value) => ({ value, label: t(`document.${value}`) }))}
        {...fields.getInputProps('kind')}
      />
      <TextInput label={t('documents.name')} maxLength={titleLength} {...fields.getInputProps('title')} />
      <div>
        <FileButton
          label={t('documents.file')}
          accept=".pdf,.png,.jpg,.jpeg,.webp,.xlsx,.csv"
          variant="default"
          onFile={choose}
        >
          {file?.name ?? t('documents.choose')}
        </FileButton>
        <Text size="sm" c={fields.errors.file ? 'red' : 'dimmed'} mt={4}>
          {fields.errors.file ?? t('documents.help')}
        </Text>
      </div>
    </FormDialog>
  )
}
