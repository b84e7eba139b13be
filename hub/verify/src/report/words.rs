//! The words of the report in four languages.

use crate::fault::FaultKind;

/// A language of the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// German.
    German,
    /// Spanish.
    Spanish,
    /// French.
    French,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::English, Self::German, Self::Spanish, Self::French];

    /// Returns its tag.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::Spanish => "es",
            Self::French => "fr",
        }
    }

    /// Returns the language of a tag or of a locale, such as `de` or `de_AT.UTF-8`.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let tag = tag.split(['_', '-', '.']).next()?;
        Self::ALL
            .into_iter()
            .find(|language| language.tag().eq_ignore_ascii_case(tag))
    }

    pub(super) fn words(self) -> &'static Words {
        match self {
            Self::English => &ENGLISH,
            Self::German => &GERMAN,
            Self::Spanish => &SPANISH,
            Self::French => &FRENCH,
        }
    }
}

/// The words of one language.
pub(super) struct Words {
    pub(super) title: &'static str,
    pub(super) sound: &'static str,
    pub(super) not_sound: &'static str,
    pub(super) record: &'static str,
    pub(super) file: &'static str,
    pub(super) event: &'static str,
    pub(super) log: &'static str,
    pub(super) content: &'static str,
    pub(super) whole_event: &'static str,
    pub(super) board: &'static str,
    pub(super) round: &'static str,
    pub(super) games: &'static str,
    pub(super) redacted: &'static str,
    pub(super) span: &'static str,
    pub(super) made: &'static str,
    pub(super) names: &'static str,
    pub(super) readable: &'static str,
    pub(super) concealed: &'static str,
    pub(super) proof: &'static str,
    pub(super) key: &'static str,
    pub(super) authority: &'static str,
    pub(super) unvouched: &'static str,
    pub(super) size: &'static str,
    pub(super) root: &'static str,
    pub(super) continued: &'static str,
    pub(super) checked: &'static str,
    pub(super) of: &'static str,
    pub(super) records: &'static str,
    pub(super) boards: &'static str,
    pub(super) clocks: &'static str,
    pub(super) certified: &'static str,
    pub(super) events: &'static str,
    pub(super) moves: &'static str,
    pub(super) flags: &'static str,
    pub(super) signed_requests: &'static str,
    pub(super) unread_requests: &'static str,
    pub(super) contradictions: &'static str,
    pub(super) limits: &'static str,
    kinds: [&'static str; 13],
}

impl Words {
    pub(super) fn kind(&self, kind: FaultKind) -> &'static str {
        self.kinds[match kind {
            FaultKind::Form => 0,
            FaultKind::Altered => 1,
            FaultKind::Name => 2,
            FaultKind::Unreadable => 3,
            FaultKind::ClockSignature => 4,
            FaultKind::DeviceSignature => 5,
            FaultKind::Chain => 6,
            FaultKind::Clocks => 7,
            FaultKind::Contradiction => 8,
            FaultKind::Checkpoint => 9,
            FaultKind::Tree => 10,
            FaultKind::Fork => 11,
            FaultKind::Certificate => 12,
        }]
    }
}

const ENGLISH: Words = Words {
    title: "Verification of an evidence file",
    sound: "SOUND: nothing was changed, and every clock is right.",
    not_sound: "NOT SOUND: the file must not be relied on.",
    record: "Record",
    file: "The file",
    event: "Event",
    log: "Log",
    content: "Content",
    whole_event: "the whole event",
    board: "board",
    round: "round",
    games: "games",
    redacted: "names concealed",
    span: "First and last record",
    made: "Exported (as the file says)",
    names: "Names",
    readable: "readable",
    concealed: "concealed",
    proof: "The proof",
    key: "Public key of the hub",
    authority: "Fingerprint of the hall's authority",
    unvouched: "New authority WITHOUT the former one's word",
    size: "Records under the checkpoint",
    root: "Root of the tree",
    continued: "Older checkpoints that it continues",
    checked: "What was checked",
    of: "of",
    records: "Records in the signed tree",
    boards: "Boards",
    clocks: "Clocks",
    certified: "Clocks' certificates: issued by the authority",
    events: "Clock events: signed, in their chain",
    moves: "Moves computed again",
    flags: "Flag falls computed again",
    signed_requests: "Arbiters' requests: signed by their device",
    unread_requests: "Arbiters' requests: signature not checkable",
    contradictions: "Proofs that a clock contradicted itself",
    limits: "This shows that the records are those that the hub signed and that the times follow from them. It does not show that a finger \
             pressed when the clock says so. That a clock with this key stood at the board is stated by the hub's record of its enrolment and \
             its certificate. Compare the public key and the authority's fingerprint with those announced at the event.",
    kinds: [
        "the file is incomplete or out of order",
        "the record was changed",
        "a name does not match its commitment",
        "the record cannot be read",
        "a clock's signature does not match",
        "the signature of an arbiter's device does not match",
        "the record does not follow from those before it",
        "the clocks do not follow from the records",
        "statements said to contradict each other do not",
        "the hub's key did not sign this checkpoint",
        "the records do not lead to the signed checkpoint",
        "the log does not continue an older checkpoint",
        "the hall's authority did not issue a clock's certificate",
    ],
};

const GERMAN: Words = Words {
    title: "Prüfung einer Beweisdatei",
    sound: "IN ORDNUNG: Nichts wurde verändert, und jede Uhr stimmt.",
    not_sound: "NICHT IN ORDNUNG: Auf diese Datei ist kein Verlass.",
    record: "Eintrag",
    file: "Die Datei",
    event: "Turnier",
    log: "Protokoll",
    content: "Inhalt",
    whole_event: "das ganze Turnier",
    board: "Brett",
    round: "Runde",
    games: "Partien",
    redacted: "Namen verdeckt",
    span: "Erster und letzter Eintrag",
    made: "Exportiert (laut Datei)",
    names: "Namen",
    readable: "lesbar",
    concealed: "verdeckt",
    proof: "Der Beweis",
    key: "Öffentlicher Schlüssel des Hubs",
    authority: "Fingerabdruck der Zertifizierungsstelle",
    unvouched: "Neue Stelle, von der früheren NICHT bestätigt",
    size: "Einträge unter dem Prüfpunkt",
    root: "Wurzel des Baums",
    continued: "Ältere Prüfpunkte, die er fortsetzt",
    checked: "Was geprüft wurde",
    of: "von",
    records: "Einträge im signierten Baum",
    boards: "Bretter",
    clocks: "Uhren",
    certified: "Zertifikate der Uhren: richtig ausgestellt",
    events: "Ereignisse der Uhren: signiert, in der Kette",
    moves: "Nachgerechnete Züge",
    flags: "Nachgerechnete Zeitüberschreitungen",
    signed_requests: "Eingriffe: vom Gerät signiert",
    unread_requests: "Eingriffe: Signatur nicht prüfbar",
    contradictions: "Beweise, dass eine Uhr sich widersprach",
    limits: "Dies zeigt, dass die Einträge die vom Hub signierten sind und dass die Zeiten aus ihnen folgen. Es zeigt nicht, dass ein Finger \
             drückte, als die Uhr es meldete. Dass eine Uhr mit diesem Schlüssel am Brett stand, sagen der Eintrag des Hubs über ihre Anmeldung und \
             ihr Zertifikat. Vergleichen Sie den öffentlichen Schlüssel und den Fingerabdruck mit den beim Turnier bekannt gegebenen.",
    kinds: [
        "Die Datei ist unvollständig oder in falscher Reihenfolge",
        "Der Eintrag wurde verändert",
        "Ein Name passt nicht zu seiner Festlegung",
        "Der Eintrag ist nicht lesbar",
        "Die Signatur einer Uhr stimmt nicht",
        "Die Signatur des Geräts eines Schiedsrichters stimmt nicht",
        "Der Eintrag folgt nicht aus den vorigen",
        "Die Zeiten folgen nicht aus den Einträgen",
        "Angeblich widersprüchliche Aussagen widersprechen sich nicht",
        "Der Schlüssel des Hubs hat diesen Prüfpunkt nicht signiert",
        "Die Einträge führen nicht zum signierten Prüfpunkt",
        "Das Protokoll setzt einen älteren Prüfpunkt nicht fort",
        "Die Zertifizierungsstelle hat das Zertifikat einer Uhr nicht ausgestellt",
    ],
};

const SPANISH: Words = Words {
    title: "Verificación de un archivo de pruebas",
    sound: "CORRECTO: no se ha modificado nada y todos los relojes son exactos.",
    not_sound: "INCORRECTO: no se puede confiar en este archivo.",
    record: "Registro",
    file: "El archivo",
    event: "Torneo",
    log: "Registro del hub",
    content: "Contenido",
    whole_event: "todo el torneo",
    board: "tablero",
    round: "ronda",
    games: "partidas",
    redacted: "nombres ocultos",
    span: "Primer y último registro",
    made: "Exportado (según el archivo)",
    names: "Nombres",
    readable: "legibles",
    concealed: "ocultos",
    proof: "La prueba",
    key: "Clave pública del hub",
    authority: "Huella de la autoridad de la sala",
    unvouched: "Autoridad nueva SIN el aval de la anterior",
    size: "Registros bajo el punto de control",
    root: "Raíz del árbol",
    continued: "Puntos de control anteriores que continúa",
    checked: "Qué se ha comprobado",
    of: "de",
    records: "Registros en el árbol firmado",
    boards: "Tableros",
    clocks: "Relojes",
    certified: "Certificados de relojes: de la autoridad",
    events: "Sucesos de relojes: firmados, en su cadena",
    moves: "Jugadas recalculadas",
    flags: "Caídas de bandera recalculadas",
    signed_requests: "Acciones: firmadas por el dispositivo",
    unread_requests: "Acciones: firma no comprobable",
    contradictions: "Pruebas de que un reloj se contradijo",
    limits: "Esto demuestra que los registros son los que firmó el hub y que los tiempos se deducen de ellos. No demuestra que un dedo \
             pulsara cuando lo dice el reloj. Que un reloj con esa clave estuviera en la mesa lo dicen la entrada del hub sobre su alta y \
             su certificado. Compare la clave pública y la huella con las anunciadas en el torneo.",
    kinds: [
        "el archivo está incompleto o desordenado",
        "el registro fue modificado",
        "un nombre no corresponde a su compromiso",
        "el registro no se puede leer",
        "la firma de un reloj no coincide",
        "la firma del dispositivo de un árbitro no coincide",
        "el registro no se deduce de los anteriores",
        "los tiempos no se deducen de los registros",
        "las declaraciones supuestamente contradictorias no lo son",
        "la clave del hub no firmó este punto de control",
        "los registros no conducen al punto de control firmado",
        "el registro del hub no continúa un punto de control anterior",
        "la autoridad de la sala no emitió el certificado de un reloj",
    ],
};

const FRENCH: Words = Words {
    title: "Vérification d’un fichier de preuves",
    sound: "CONFORME : rien n’a été modifié et chaque pendule est juste.",
    not_sound: "NON CONFORME : on ne peut pas se fier à ce fichier.",
    record: "Enregistrement",
    file: "Le fichier",
    event: "Tournoi",
    log: "Journal",
    content: "Contenu",
    whole_event: "tout le tournoi",
    board: "échiquier",
    round: "ronde",
    games: "parties",
    redacted: "noms masqués",
    span: "Premier et dernier enregistrement",
    made: "Exporté (selon le fichier)",
    names: "Noms",
    readable: "lisibles",
    concealed: "masqués",
    proof: "La preuve",
    key: "Clé publique du hub",
    authority: "Empreinte de l’autorité de la salle",
    unvouched: "Nouvelle autorité NON garantie par l’ancienne",
    size: "Enregistrements sous le point de contrôle",
    root: "Racine de l’arbre",
    continued: "Points de contrôle antérieurs prolongés",
    checked: "Ce qui a été vérifié",
    of: "sur",
    records: "Enregistrements dans l’arbre signé",
    boards: "Échiquiers",
    clocks: "Pendules",
    certified: "Certificats des pendules : de l’autorité",
    events: "Événements des pendules : signés, en chaîne",
    moves: "Coups recalculés",
    flags: "Chutes de drapeau recalculées",
    signed_requests: "Interventions : signées par l’appareil",
    unread_requests: "Interventions : signature non vérifiable",
    contradictions: "Preuves qu’une pendule s’est contredite",
    limits: "Ceci montre que les enregistrements sont ceux que le hub a signés et que les temps en découlent. Cela ne montre pas qu’un doigt \
             a appuyé au moment indiqué par la pendule. Qu’une pendule avec cette clé était à l’échiquier, ce sont l’entrée du hub sur son inscription et son \
             certificat qui le disent. Comparez la clé publique et l’empreinte à celles annoncées au tournoi.",
    kinds: [
        "le fichier est incomplet ou dans le désordre",
        "l’enregistrement a été modifié",
        "un nom ne correspond pas à son engagement",
        "l’enregistrement est illisible",
        "la signature d’une pendule ne correspond pas",
        "la signature de l’appareil d’un arbitre ne correspond pas",
        "l’enregistrement ne découle pas des précédents",
        "les temps ne découlent pas des enregistrements",
        "les déclarations dites contradictoires ne le sont pas",
        "la clé du hub n’a pas signé ce point de contrôle",
        "les enregistrements ne mènent pas au point de contrôle signé",
        "le journal ne prolonge pas un point de contrôle antérieur",
        "l’autorité de la salle n’a pas délivré le certificat d’une pendule",
    ],
};
