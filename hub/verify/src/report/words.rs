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

macro_rules! words {
    (
        words { $($word:ident: $en:literal, $de:literal, $es:literal, $fr:literal;)+ }
        kinds { $($kind:ident: $kind_en:literal, $kind_de:literal, $kind_es:literal, $kind_fr:literal;)+ }
    ) => {
        /// The words of one language.
        pub(super) struct Words {
            $(pub(super) $word: &'static str,)+
            /// Returns the words for a kind of fault.
            pub(super) kind: fn(FaultKind) -> &'static str,
        }

        const ENGLISH: Words = Words { $($word: $en,)+ kind: |kind| match kind { $(FaultKind::$kind => $kind_en,)+ } };
        const GERMAN: Words = Words { $($word: $de,)+ kind: |kind| match kind { $(FaultKind::$kind => $kind_de,)+ } };
        const SPANISH: Words = Words { $($word: $es,)+ kind: |kind| match kind { $(FaultKind::$kind => $kind_es,)+ } };
        const FRENCH: Words = Words { $($word: $fr,)+ kind: |kind| match kind { $(FaultKind::$kind => $kind_fr,)+ } };
    };
}

// English, German, Spanish, French.
words! {
    words {
        title: "Verification of an evidence file", "Prüfung einer Beweisdatei",
            "Verificación de un archivo de pruebas", "Vérification d’un fichier de preuves";
        sound:
            "SOUND: nothing was changed, and every clock is right.",
            "IN ORDNUNG: Nichts wurde verändert, und jede Uhr stimmt.",
            "CORRECTO: no se ha modificado nada y todos los relojes son exactos.",
            "CONFORME : rien n’a été modifié et chaque pendule est juste.";
        not_sound: "NOT SOUND: the file must not be relied on.", "NICHT IN ORDNUNG: Auf diese Datei ist kein Verlass.",
            "INCORRECTO: no se puede confiar en este archivo.", "NON CONFORME : on ne peut pas se fier à ce fichier.";
        record: "Record", "Eintrag", "Registro", "Enregistrement";
        file: "The file", "Die Datei", "El archivo", "Le fichier";
        event: "Event", "Turnier", "Torneo", "Tournoi";
        log: "Log", "Protokoll", "Registro del hub", "Journal";
        content: "Content", "Inhalt", "Contenido", "Contenu";
        whole_event: "the whole event", "das ganze Turnier", "todo el torneo", "tout le tournoi";
        board: "board", "Brett", "tablero", "échiquier";
        round: "round", "Runde", "ronda", "ronde";
        games: "games", "Partien", "partidas", "parties";
        redacted: "names concealed", "Namen verdeckt", "nombres ocultos", "noms masqués";
        span: "First and last record", "Erster und letzter Eintrag", "Primer y último registro", "Premier et dernier enregistrement";
        made: "Exported (as the file says)", "Exportiert (laut Datei)", "Exportado (según el archivo)", "Exporté (selon le fichier)";
        names: "Names", "Namen", "Nombres", "Noms";
        readable: "readable", "lesbar", "legibles", "lisibles";
        concealed: "concealed", "verdeckt", "ocultos", "masqués";
        proof: "The proof", "Der Beweis", "La prueba", "La preuve";
        key: "Public key of the hub", "Öffentlicher Schlüssel des Hubs", "Clave pública del hub", "Clé publique du hub";
        authority: "Fingerprint of the hall's authority", "Fingerabdruck der Zertifizierungsstelle",
            "Huella de la autoridad de la sala", "Empreinte de l’autorité de la salle";
        unvouched: "New authority WITHOUT the former one's word", "Neue Stelle, von der früheren NICHT bestätigt",
            "Autoridad nueva SIN el aval de la anterior", "Nouvelle autorité NON garantie par l’ancienne";
        size: "Records under the checkpoint", "Einträge unter dem Prüfpunkt",
            "Registros bajo el punto de control", "Enregistrements sous le point de contrôle";
        root: "Root of the tree", "Wurzel des Baums", "Raíz del árbol", "Racine de l’arbre";
        continued: "Older checkpoints that it continues", "Ältere Prüfpunkte, die er fortsetzt",
            "Puntos de control anteriores que continúa", "Points de contrôle antérieurs prolongés";
        checked: "What was checked", "Was geprüft wurde", "Qué se ha comprobado", "Ce qui a été vérifié";
        of: "of", "von", "de", "sur";
        records: "Records in the signed tree", "Einträge im signierten Baum",
            "Registros en el árbol firmado", "Enregistrements dans l’arbre signé";
        boards: "Boards", "Bretter", "Tableros", "Échiquiers";
        clocks: "Clocks", "Uhren", "Relojes", "Pendules";
        certified: "Clocks' certificates: issued by the authority", "Zertifikate der Uhren: richtig ausgestellt",
            "Certificados de relojes: de la autoridad", "Certificats des pendules : de l’autorité";
        events: "Clock events: signed, in their chain", "Ereignisse der Uhren: signiert, in der Kette",
            "Sucesos de relojes: firmados, en su cadena", "Événements des pendules : signés, en chaîne";
        moves: "Moves computed again", "Nachgerechnete Züge", "Jugadas recalculadas", "Coups recalculés";
        flags: "Flag falls computed again", "Nachgerechnete Zeitüberschreitungen",
            "Caídas de bandera recalculadas", "Chutes de drapeau recalculées";
        signed_requests: "Arbiters' requests: signed by their device", "Eingriffe: vom Gerät signiert",
            "Acciones: firmadas por el dispositivo", "Interventions : signées par l’appareil";
        unread_requests: "Arbiters' requests: signature not checkable", "Eingriffe: Signatur nicht prüfbar",
            "Acciones: firma no comprobable", "Interventions : signature non vérifiable";
        contradictions: "Proofs that a clock contradicted itself", "Beweise, dass eine Uhr sich widersprach",
            "Pruebas de que un reloj se contradijo", "Preuves qu’une pendule s’est contredite";
        limits:
            "This shows that the records are those that the hub signed and that the times follow from them. It does not show that a finger \
             pressed when the clock says so. That a clock with this key stood at the board is stated by the hub's record of its enrolment and \
             its certificate. Compare the public key and the authority's fingerprint with those announced at the event.",
            "Dies zeigt, dass die Einträge die vom Hub signierten sind und dass die Zeiten aus ihnen folgen. Es zeigt nicht, dass ein Finger \
             drückte, als die Uhr es meldete. Dass eine Uhr mit diesem Schlüssel am Brett stand, sagen der Eintrag des Hubs über ihre Anmeldung und \
             ihr Zertifikat. Vergleichen Sie den öffentlichen Schlüssel und den Fingerabdruck mit den beim Turnier bekannt gegebenen.",
            "Esto demuestra que los registros son los que firmó el hub y que los tiempos se deducen de ellos. No demuestra que un dedo \
             pulsara cuando lo dice el reloj. Que un reloj con esa clave estuviera en la mesa lo dicen la entrada del hub sobre su alta y \
             su certificado. Compare la clave pública y la huella con las anunciadas en el torneo.",
            "Ceci montre que les enregistrements sont ceux que le hub a signés et que les temps en découlent. Cela ne montre pas qu’un doigt \
             a appuyé au moment indiqué par la pendule. Qu’une pendule avec cette clé était à l’échiquier, ce sont l’entrée du hub sur son inscription et son \
             certificat qui le disent. Comparez la clé publique et l’empreinte à celles annoncées au tournoi.";
    }
    kinds {
        Form: "the file is incomplete or out of order", "Die Datei ist unvollständig oder in falscher Reihenfolge",
            "el archivo está incompleto o desordenado", "le fichier est incomplet ou dans le désordre";
        Altered: "the record was changed", "Der Eintrag wurde verändert", "el registro fue modificado", "l’enregistrement a été modifié";
        Name: "a name does not match its commitment", "Ein Name passt nicht zu seiner Festlegung",
            "un nombre no corresponde a su compromiso", "un nom ne correspond pas à son engagement";
        Unreadable: "the record cannot be read", "Der Eintrag ist nicht lesbar",
            "el registro no se puede leer", "l’enregistrement est illisible";
        ClockSignature: "a clock's signature does not match", "Die Signatur einer Uhr stimmt nicht",
            "la firma de un reloj no coincide", "la signature d’une pendule ne correspond pas";
        DeviceSignature:
            "the signature of an arbiter's device does not match",
            "Die Signatur des Geräts eines Schiedsrichters stimmt nicht",
            "la firma del dispositivo de un árbitro no coincide",
            "la signature de l’appareil d’un arbitre ne correspond pas";
        Chain: "the record does not follow from those before it", "Der Eintrag folgt nicht aus den vorigen",
            "el registro no se deduce de los anteriores", "l’enregistrement ne découle pas des précédents";
        Clocks: "the clocks do not follow from the records", "Die Zeiten folgen nicht aus den Einträgen",
            "los tiempos no se deducen de los registros", "les temps ne découlent pas des enregistrements";
        Contradiction: "statements said to contradict each other do not", "Angeblich widersprüchliche Aussagen widersprechen sich nicht",
            "las declaraciones supuestamente contradictorias no lo son", "les déclarations dites contradictoires ne le sont pas";
        Checkpoint: "the hub's key did not sign this checkpoint", "Der Schlüssel des Hubs hat diesen Prüfpunkt nicht signiert",
            "la clave del hub no firmó este punto de control", "la clé du hub n’a pas signé ce point de contrôle";
        Tree: "the records do not lead to the signed checkpoint", "Die Einträge führen nicht zum signierten Prüfpunkt",
            "los registros no conducen al punto de control firmado", "les enregistrements ne mènent pas au point de contrôle signé";
        Fork: "the log does not continue an older checkpoint", "Das Protokoll setzt einen älteren Prüfpunkt nicht fort",
            "el registro del hub no continúa un punto de control anterior", "le journal ne prolonge pas un point de contrôle antérieur";
        Certificate:
            "the hall's authority did not issue a clock's certificate",
            "Die Zertifizierungsstelle hat das Zertifikat einer Uhr nicht ausgestellt",
            "la autoridad de la sala no emitió el certificado de un reloj",
            "l’autorité de la salle n’a pas délivré le certificat d’une pendule";
    }
}
