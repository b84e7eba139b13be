//! The wording of the report in four languages.

use crate::fault::FaultKind;

/// The language of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English (`en`), the default.
    #[default]
    English,
    /// German (`de`).
    German,
    /// Spanish (`es`).
    Spanish,
    /// French (`fr`).
    French,
}

impl Language {
    /// All languages of the report.
    pub const ALL: [Self; 4] = [Self::English, Self::German, Self::Spanish, Self::French];

    /// Returns the language tag, such as `de`.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::Spanish => "es",
            Self::French => "fr",
        }
    }

    /// Returns the language for a tag or a locale, such as `de` or `de_AT.UTF-8`; `None` if the report does not have it.
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

macro_rules! words {
    (
        words { $($word:ident: $en:literal, $de:literal, $es:literal, $fr:literal;)+ }
        kinds { $($kind:ident: $kind_en:literal, $kind_de:literal, $kind_es:literal, $kind_fr:literal;)+ }
    ) => {
        pub(super) struct Words {
            $(pub(super) $word: &'static str,)+
            pub(super) kind: fn(FaultKind) -> &'static str,
        }

        const ENGLISH: Words = Words { $($word: $en,)+ kind: |kind| match kind { $(FaultKind::$kind => $kind_en,)+ } };
        const GERMAN: Words = Words { $($word: $de,)+ kind: |kind| match kind { $(FaultKind::$kind => $kind_de,)+ } };
        const SPANISH: Words = Words { $($word: $es,)+ kind: |kind| match kind { $(FaultKind::$kind => $kind_es,)+ } };
        const FRENCH: Words = Words { $($word: $fr,)+ kind: |kind| match kind { $(FaultKind::$kind => $kind_fr,)+ } };
    };
}

// The strings of each entry are in English, German, Spanish and French, in this order.
words! {
    words {
        title: "Verification of an evidence file", "Prüfung einer Beweisdatei",
            "Verificación de un archivo de pruebas", "Vérification d’un fichier de preuves";
        sound:
            "SOUND: nothing was changed, and all times are correct.",
            "IN ORDNUNG: Nichts wurde verändert, und alle Zeiten stimmen.",
            "CORRECTO: no se ha modificado nada y todos los tiempos son correctos.",
            "CONFORME : rien n’a été modifié et tous les temps sont exacts.";
        not_sound: "NOT SOUND: do not rely on this file.", "NICHT IN ORDNUNG: Auf diese Datei ist kein Verlass.",
            "INCORRECTO: no se puede confiar en este archivo.", "NON CONFORME : on ne peut pas se fier à ce fichier.";
        record: "Record", "Eintrag", "Entrada", "Entrée";
        file: "The file", "Die Datei", "El archivo", "Le fichier";
        event: "Event", "Turnier", "Torneo", "Tournoi";
        log: "Log", "Protokoll", "Registro del hub", "Journal";
        content: "Content", "Inhalt", "Contenido", "Contenu";
        whole_event: "the whole event", "das ganze Turnier", "todo el torneo", "tout le tournoi";
        board: "board", "Brett", "mesa", "échiquier";
        round: "round", "Runde", "ronda", "ronde";
        games: "games", "Partien", "partidas", "parties";
        redacted: "names concealed", "Namen verdeckt", "nombres ocultos", "noms masqués";
        span: "First and last record", "Erster und letzter Eintrag", "Primera y última entrada", "Première et dernière entrée";
        made: "Exported (as the file says)", "Exportiert (laut Datei)", "Exportado (según el archivo)", "Exporté (selon le fichier)";
        names: "Names", "Namen", "Nombres", "Noms";
        readable: "readable", "lesbar", "legibles", "lisibles";
        concealed: "concealed", "verdeckt", "ocultos", "masqués";
        proof: "The proof", "Der Beweis", "La prueba", "La preuve";
        key: "Public key of the hub", "Öffentlicher Schlüssel des Hubs", "Clave pública del hub", "Clé publique du hub";
        authority: "Fingerprint of the hall's authority", "Fingerabdruck der Zertifizierungsstelle",
            "Huella de la autoridad de la sala", "Empreinte de l’autorité de la salle";
        unvouched: "New authority NOT vouched for by the old one", "Neue Stelle, von der früheren NICHT bestätigt",
            "Autoridad nueva SIN el aval de la anterior", "Nouvelle autorité NON garantie par l’ancienne";
        size: "Records covered by the checkpoint", "Vom Prüfpunkt erfasste Einträge",
            "Entradas cubiertas por el punto de control", "Entrées couvertes par le point de contrôle";
        root: "Root of the tree", "Wurzel des Baums", "Raíz del árbol", "Racine de l’arbre";
        continued: "Older checkpoints that this log continues", "Fortgesetzte ältere Prüfpunkte",
            "Puntos de control anteriores continuados", "Points de contrôle antérieurs prolongés";
        checked: "What was checked", "Was geprüft wurde", "Qué se ha comprobado", "Ce qui a été vérifié";
        of: "of", "von", "de", "sur";
        records: "Records in the signed tree", "Einträge im signierten Baum",
            "Entradas en el árbol firmado", "Entrées dans l’arbre signé";
        boards: "Boards", "Bretter", "Mesas", "Échiquiers";
        clocks: "Clocks", "Uhren", "Relojes", "Pendules";
        certified: "Clocks' certificates: issued by the authority", "Zertifikate der Uhren: richtig ausgestellt",
            "Certificados emitidos por la autoridad", "Certificats délivrés par l’autorité";
        events: "Clock events: signed, in their chain", "Ereignisse der Uhren: signiert, in der Kette",
            "Sucesos de relojes: firmados, en su cadena", "Événements des pendules : signés, en chaîne";
        moves: "Moves recomputed", "Nachgerechnete Züge", "Jugadas recalculadas", "Coups recalculés";
        flags: "Flag falls recomputed", "Nachgerechnete Zeitüberschreitungen",
            "Caídas de bandera recalculadas", "Chutes de drapeau recalculées";
        signed_requests: "Arbiters' requests: signed by their device", "Anweisungen: vom Gerät signiert",
            "Órdenes de árbitros: con firma válida", "Commandes : signées par l’appareil";
        unread_requests: "Arbiters' requests: signature unverifiable", "Anweisungen: Signatur nicht prüfbar",
            "Órdenes de árbitros: firma no comprobable", "Commandes : signature non vérifiable";
        contradictions: "Proofs that a clock contradicted itself", "Beweise, dass eine Uhr sich widersprach",
            "Pruebas de que un reloj se contradijo", "Preuves qu’une pendule s’est contredite";
        limits:
            "This shows that the hub signed these records and that the times follow from them. It does not show that a finger pressed at the \
             moment that the clock reports. Only the hub's enrolment record and the clock's certificate state that a clock with this key was at \
             the board. Compare the public key and the authority's fingerprint with those announced at the event.",
            "Dies zeigt, dass der Hub diese Einträge signiert hat und dass die Zeiten aus ihnen folgen. Es zeigt nicht, dass in dem Moment, den \
             die Uhr meldet, ein Finger gedrückt hat. Dass eine Uhr mit diesem Schlüssel am Brett stand, besagen nur der Anmeldeeintrag des Hubs und \
             das Zertifikat der Uhr. Vergleichen Sie den öffentlichen Schlüssel und den Fingerabdruck mit den beim Turnier bekannt gegebenen.",
            "Esto demuestra que el hub firmó estas entradas y que los tiempos se deducen de ellas. No demuestra que un dedo pulsara en el \
             momento que indica el reloj. Que un reloj con esa clave estuviera en la mesa solo lo dicen la entrada de alta del hub y el \
             certificado del reloj. Compare la clave pública y la huella de la autoridad con las anunciadas en el torneo.",
            "Ceci montre que le hub a signé ces entrées et que les temps en découlent. Cela ne montre pas qu’un doigt a appuyé au moment \
             indiqué par la pendule. Seuls l’entrée d’enrôlement du hub et le certificat de la pendule disent qu’une pendule avec cette clé se trouvait à \
             l’échiquier. Comparez la clé publique et l’empreinte de l’autorité à celles annoncées au tournoi.";
    }
    kinds {
        Form: "the file is incomplete or out of order", "Die Datei ist unvollständig oder in falscher Reihenfolge",
            "el archivo está incompleto o desordenado", "le fichier est incomplet ou dans le désordre";
        Altered: "the record was changed", "Der Eintrag wurde verändert", "la entrada fue modificada", "l’entrée a été modifiée";
        Name: "a name does not match its commitment", "Ein Name passt nicht zu seiner Festlegung",
            "un nombre no corresponde a su compromiso", "un nom ne correspond pas à son engagement";
        Unreadable: "the record cannot be read", "Der Eintrag ist nicht lesbar",
            "la entrada no se puede leer", "l’entrée est illisible";
        ClockSignature: "a clock's signature is invalid", "Die Signatur einer Uhr stimmt nicht",
            "la firma de un reloj no coincide", "la signature d’une pendule ne correspond pas";
        DeviceSignature:
            "the signature of an arbiter's device is invalid",
            "Die Signatur des Geräts eines Schiedsrichters stimmt nicht",
            "la firma del dispositivo de un árbitro no coincide",
            "la signature de l’appareil d’un arbitre ne correspond pas";
        Chain: "the record does not follow from those before it", "Der Eintrag folgt nicht aus den vorigen",
            "la entrada no se deduce de las anteriores", "l’entrée ne découle pas des précédentes";
        Clocks: "the times do not follow from the records", "Die Zeiten folgen nicht aus den Einträgen",
            "los tiempos no se deducen de las entradas", "les temps ne découlent pas des entrées";
        Contradiction: "statements recorded as contradictory do not contradict each other", "Angeblich widersprüchliche Aussagen widersprechen sich nicht",
            "las declaraciones supuestamente contradictorias no se contradicen", "les déclarations dites contradictoires ne se contredisent pas";
        Checkpoint: "the hub's key did not sign this checkpoint", "Der Schlüssel des Hubs hat diesen Prüfpunkt nicht signiert",
            "la clave del hub no firmó este punto de control", "la clé du hub n’a pas signé ce point de contrôle";
        Tree: "the records do not lead to the signed checkpoint", "Die Einträge führen nicht zum signierten Prüfpunkt",
            "las entradas no conducen al punto de control firmado", "les entrées ne mènent pas au point de contrôle signé";
        Fork: "the log does not continue an older checkpoint", "Das Protokoll setzt einen älteren Prüfpunkt nicht fort",
            "el registro del hub no continúa un punto de control anterior", "le journal ne prolonge pas un point de contrôle antérieur";
        Certificate:
            "the hall's authority did not issue a clock's certificate",
            "Die Zertifizierungsstelle hat das Zertifikat einer Uhr nicht ausgestellt",
            "la autoridad de la sala no emitió el certificado de un reloj",
            "l’autorité de la salle n’a pas délivré le certificat d’une pendule";
    }
}
