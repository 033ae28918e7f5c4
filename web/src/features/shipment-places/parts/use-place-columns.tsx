import type { ShipmentPlace } from '@isotherm/contract/shipment-places.ts'
import { useTranslation } from 'react-i18next'
import { countryName } from '../../../lib/country-name.ts'
import { PortName } from '../../../shared/ports/ports-field.tsx'
import frames from '../../../ui/frames.module.css'
import type { Column } from '../../../ui/list/column.ts'

export function usePlaceColumns(): Column<ShipmentPlace>[] {
  const { t } = useTranslation('shipmentPlaces')
  return [
    {
      key: 'name',
      title: t('fields.name'),
      sort: 'name',
      render: ({ name, gln, glnUnchecked }) => (
        <>
          <b>{name}</b>
          {gln && (
            <div className={frames.note}>
              {t('fields.gln')} {gln}
              {glnUnchecked && ` (${t('unchecked')})`}
            </div>
          )}
        </>
      ),
    },
    { key: 'region', title: t('fields.region'), sort: 'region', hideBelow: 820, render: ({ region }) => region ?? '–' },
    {
      key: 'country',
      title: t('fields.country'),
      sort: 'country',
      render: ({ country }) => countryName(country),
    },
    {
      key: 'companyName',
      title: t('fields.companyName'),
      sort: 'companyName',
      hideBelow: 1100,
      render: ({ companyName }) => companyName ?? '–',
    },
    {
      key: 'personOfContact',
      title: t('fields.personOfContact'),
      hideBelow: 1100,
      render: ({ personOfContact }) => personOfContact ?? '–',
    },
    {
      key: 'ports',
      title: t('fields.ports'),
      render: ({ ports }) =>
        ports.length === 0
          ? '–'
          : ports.map((port) => (
              <div key={`${port.type} ${port.code}`}>
                <PortName port={port} />
              </div>
            )),
    },
    {
      key: 'openShipments',
      title: t('fields.openShipments'),
      align: 'right',
      hideBelow: 820,
      render: ({ openShipments }) => openShipments,
    },
  ]
}
