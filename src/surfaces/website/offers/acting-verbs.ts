/**
 * Verbs, and nouns of the same meaning, that name an action in a URL, a form or a button, in English, German, French, Spanish, Italian,
 * Portuguese and Dutch. In lowercase without accents: `loschen` is also `löschen`.
 */

const listed = (text: string) => text.trim().split(/\s+/);

/** Parts of words that hardly ever mean anything else, of at least four letters. */
export const unmistakable: readonly string[] = listed(`
  delet remov destroy destruct erase purge truncat terminate shutdown shutoff poweroff powercycle reboot restart unsubscri deactiv
  disable cancel revok uninstall unpublish unlink unregister unfollow unfriend unblock withdraw transfer refund payout chargeback
  checkout impersonat overwrit rollback hardreset logout signout placeorder rmdir optout optin signoff makeadmin loginas turnon
  turnoff nuke

  losche loschen loschung loesche loeschung entferne stornier storno uberweis ueberweis abmeld abbestell bestatig bestaetig
  zurucksetz zuruecksetz deaktivier herunterfahren neustart auszahl abheben hinzufug hinzufueg veroffentlichen veroeffentlichen
  umbenennen freigeben verschieben ausfuhren ausfuehren

  supprim effacer efface desactiv annule annula detrui retirer desabonn desinscri deconnex deconnect virement resilier resiliation
  redemarr reinitialis debloquer rembours envoyer enregistrer ajouter deplacer renommer

  elimin borrar borrado destruir quitar retirar reiniciar restablecer desuscri darsedebaja darbaja enviar guardar anadir agregar
  reembols cerrarsesion rechazar bloquear vaciar

  rimuov disattiv distrugg bonifico preleva riavvi ripristin spegni disiscri svuota disdetta disdire aggiung rimbors blocca esegui

  exclui desativ redefinir resetar desinscrev descadastr adicionar atualizar bloqueia renomear encerrar

  verwijder opzegg uitschrijv afmeld uitschakel overmak overboek intrekken herstart terugzet vernietig versturen verzenden toevoeg
  bijwerken bevestig blokkeer terugbetal hernoem
`);

/** Words that name an action if they are a word, or one with an object (`adduser`). */
export const verbs: readonly string[] = listed(`
  accept ack acknowledge activate add allow append apply approve assign attach authorize ban bid block boot bust buy capture charge
  claim clean cleanup clear clone close commit confirm convert copy create cron decline decrement del demote deny deploy deposit
  detach disconnect dislike dismiss dispatch donate downgrade drop duplicate eject elevate escalate empty enable enqueue enrol
  enroll exec execute expel expire extend finalize fire flush force forget freeze generate give grant halt hide increment init
  inject insert invalidate invite invoke join kick kill launch leave lock logoff markread merge migrate modify moderate move mute
  notify pause pay persist pin process promote provision prune publish pull purchase push put quarantine quit reactivate rebuild
  redeploy requeue reserve rsvp ship spend unenroll unsub recalculate recharge recreate redeem redo regenerate reindex reinstall
  reject reload rename renew reopen repair replace reprocess resend reseed reset restore resume resync retry revert rm rotate run
  save schedule seed send set simulate spawn start stop submit subscribe suspend switch sync synchronize toggle topup trash trigger
  abort complete finish discard expunge scrub evict sell bet settle debit fulfill scale failover switchover hibernate powerdown
  switchoff obliterate annihilate liquidate mint stake kickout retweet repost unpair checkin mkdir chmod chown resetpw pwreset
  changepw changeemail changepassword migrateup paynow autopay oneclick usun udalit smazat poista slet
  unarchive unassign unban undo unfreeze unlike unlock unmute unpin untag update upgrade upsert upvote downvote vacuum verify void
  vote warmup webhook wipe write zap

  kuendigen kundigen kuendigung kundigung widerrufen schliessen aufloesen auflosen anlegen andern aendern speichern senden absenden
  bezahlen zahlen kaufen bestellen einladen ablehnen annehmen genehmigen starte stoppen beenden sperren sperre entsperren aktivieren
  kopieren leeren verwerfen abbrechen abonnieren beitreten abstimmen

  annuler arreter clore fermer publier creer acheter commander valider confirmer activer bloquer vider inviter accepter refuser
  executer lancer rejeter approuver quitter sauvegarder

  anular apagar baja crear modificar actualizar pagar comprar confirmar aprobar aceptar desbloquear publicar ejecutar suspender
  mover renombrar activar invitar detener parar iniciar votar

  annulla prelevare pubblica inviare invia salva crea modifica aggiorna paga acquista conferma approva rifiuta accetta sblocca
  sospendi rinomina attiva invita avvia ferma chiudi

  sacar saque salvar criar aprovar rejeitar aceitar executar limpar ativar convidar

  wissen blokkeren opheffen stopzetten opslaan aanmaken wijzigen wijzig betalen kopen goedkeuren afwijzen accepteren deblokkeren
  publiceren uitvoeren legen verplaatsen activeren uitnodigen sluiten
`);

/** Words that may name an action in a query or a form, but are usual names of folders and pages. */
export const usualNames: readonly string[] = listed(`
  archive backup book cart dump edit export follow import install like login logon mark new open order patch payer post
  recover refresh register share signin signup upload bearbeiten buchen copier editar copia copiar vota forgot remind
`);

/** What verbs are joined with: in the singular, or in a plural with `s`. */
export const objects: readonly string[] = listed(`
  account acl admin album alert alias all appointment article asset attachment backup basket board booking bot cache campaign card
  cart case category channel chat claim client cluster code comment config contact content cookie coupon credit customer data
  database db device doc document domain draft email employee entry event everything factory favorite feed field file folder form
  friend fund group history host image index instance invite invoice item job key konto kunde kunden link log mail media member
  message money news node note notification now object one order page passwd password patient payment permission photo plan player
  plugin poll post process product profile project queue record reservation role room row rule schema server service session
  settings site slot sms state status stock store subscription system table tag task team template theme thread ticket token topic
  transaction tx user vm volume wallet website webhook wishlist worker benutzer usuario usuarios utilisateur utente gebruiker compte
  cuenta conta todo todos tout alle alles abo abonnement abbonamento contract contrat contrato contratto mitgliedschaft vertrag
`);

/** Verbs that end words without naming an action: `dataset`. */
export const notAtEnd: ReadonlySet<string> = new Set(['put', 'rm', 'run', 'set', 'sync', 'process']);

/** Names of parameters whose value is a command, and values of them that only show something. */
export const commandNames: ReadonlySet<string> = new Set(listed('cmd command do exec op operation'));
export const showing: ReadonlySet<string> = new Set(
  listed(`
  about archive article articles browse calendar categories category compare contact detail details display faq filter find first
  gallery get help home index info item items last list map news next overview page pages prev preview previous product products
  profile read recent search show sort stats status top view zoom
  `),
);

/** Words of buttons that also only search or filter. */
export const ofSearches: ReadonlySet<string> = new Set(
  listed(
    'apply clear edit export login logon new open process refresh reload reset run set start submit update',
  ),
);
