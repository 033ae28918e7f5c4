import type { Locale } from '@isotherm/contract/common.ts'

type Words = Record<Locale, readonly [name: string, text: string]>

/** The things on sale in the demo, by code. */
export const storeWords: Record<string, Words> = {
  tracker: {
    en: [
      'Tracker',
      'Measures temperature, humidity and place, and sends them over the mobile network. Keeps its readings while there is no network. With battery and charger; needs a licence.',
    ],
    fr: [
      'Traceur',
      'Mesure la température, l’humidité et la position, et les envoie par le réseau mobile. Garde ses mesures tant qu’il n’y a pas de réseau. Avec batterie et chargeur ; une licence est nécessaire.',
    ],
    es: [
      'Rastreador',
      'Mide temperatura, humedad y posición, y las envía por la red móvil. Guarda sus lecturas mientras no hay red. Con batería y cargador; necesita una licencia.',
    ],
    sw: [
      'Kifuatiliaji',
      'Hupima halijoto, unyevu na mahali, na kuvituma kupitia mtandao wa simu. Huhifadhi vipimo vyake wakati hakuna mtandao. Pamoja na betri na chaja; kinahitaji leseni.',
    ],
  },
  'temperature-probe': {
    en: [
      'Temperature probe, 2 m',
      'Steel probe on a cable of two metres, for cold rooms, fridges and freezers from -40 to +85\u00a0°C. Plugs into the tracker.',
    ],
    fr: [
      'Sonde de température, 2 m',
      'Sonde en acier avec un câble de deux mètres, pour chambres froides, réfrigérateurs et congélateurs de -40 à +85\u00a0°C. Se branche sur le traceur.',
    ],
    es: [
      'Sonda de temperatura, 2 m',
      'Sonda de acero con un cable de dos metros, para cámaras frías, frigoríficos y congeladores de -40 a +85\u00a0°C. Se conecta al rastreador.',
    ],
    sw: [
      'Kihisi cha halijoto, m 2',
      'Kihisi cha chuma chenye waya wa mita mbili, kwa vyumba baridi, friji na friza kuanzia -40 hadi +85\u00a0°C. Huchomekwa kwenye kifuatiliaji.',
    ],
  },
  'humidity-probe': {
    en: [
      'Humidity probe, 2 m',
      'Measures relative humidity from 0 to 100\u00a0% and temperature, on a cable of two metres. Plugs into the tracker.',
    ],
    fr: [
      'Sonde d’humidité, 2 m',
      'Mesure l’humidité relative de 0 à 100\u00a0% et la température, au bout d’un câble de deux mètres. Se branche sur le traceur.',
    ],
    es: [
      'Sonda de humedad, 2 m',
      'Mide la humedad relativa de 0 a 100\u00a0% y la temperatura, con un cable de dos metros. Se conecta al rastreador.',
    ],
    sw: [
      'Kihisi cha unyevu, m 2',
      'Hupima unyevu wa hewa kuanzia 0 hadi 100\u00a0% na halijoto, kwa waya wa mita mbili. Huchomekwa kwenye kifuatiliaji.',
    ],
  },
  gateway: {
    en: [
      'Gateway',
      'Takes the readings of the trackers of one building and sends them over Ethernet or the mobile network, where each tracker alone has no signal.',
    ],
    fr: [
      'Passerelle',
      'Reçoit les mesures des traceurs d’un bâtiment et les envoie par Ethernet ou par le réseau mobile, là où les traceurs seuls n’ont pas de signal.',
    ],
    es: [
      'Pasarela',
      'Recibe las lecturas de los rastreadores de un edificio y las envía por Ethernet o por la red móvil, donde los rastreadores solos no tienen señal.',
    ],
    sw: [
      'Lango la mtandao',
      'Hupokea vipimo vya vifuatiliaji vya jengo moja na kuvituma kwa Ethernet au mtandao wa simu, pale ambapo kifuatiliaji peke yake hakipati mawimbi.',
    ],
  },
  'sim-card': {
    en: [
      'SIM card with data for a year',
      'For one tracker or gateway. Uses whichever mobile network is the strongest.',
    ],
    fr: [
      'Carte SIM avec un an de données',
      'Pour un traceur ou une passerelle. Utilise le réseau mobile le plus fort.',
    ],
    es: ['Tarjeta SIM con datos para un año', 'Para un rastreador o una pasarela. Usa la red móvil más fuerte.'],
    sw: [
      'Laini ya SIM yenye data ya mwaka mmoja',
      'Kwa kifuatiliaji kimoja au lango moja. Hutumia mtandao wa simu wenye nguvu zaidi.',
    ],
  },
  calibration: {
    en: [
      'Calibration of a probe',
      'Compares one probe with a reference at three temperatures in our laboratory. You get the certificate as a PDF and the probe back within ten working days.',
    ],
    fr: [
      'Étalonnage d’une sonde',
      'Compare une sonde à une référence à trois températures dans notre laboratoire. Vous recevez le certificat en PDF et la sonde en retour sous dix jours ouvrés.',
    ],
    es: [
      'Calibración de una sonda',
      'Compara una sonda con una referencia a tres temperaturas en nuestro laboratorio. Recibe el certificado en PDF y la sonda de vuelta en diez días hábiles.',
    ],
    sw: [
      'Urekebishaji wa kihisi',
      'Hulinganisha kihisi kimoja na kipimo rejea kwa halijoto tatu katika maabara yetu. Utapata cheti cha PDF na kihisi chako ndani ya siku kumi za kazi.',
    ],
  },
}
