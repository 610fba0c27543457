/** @type {typeof import('./outcomes.en.js').outcomes} */
export const outcomes = {
  waiting: {
    title: 'En attente du terminal',
    charged: 'Le client n’a pas été débité jusqu’ici.',
    now: 'Attendez. Ne recommencez pas.',
  },
  working: {
    title: 'Le terminal travaille',
    charged: 'On ne sait pas encore si le client a été débité.',
    now: 'Attendez le résultat. Ne recommencez pas.',
  },
  cancelling: {
    title: 'Annulation demandée',
    charged: 'On ne sait pas encore si le client a été débité.',
    now: 'C’est le terminal qui décide. Appuyez sur sa touche d’arrêt et attendez.',
  },
  doubt_asking: {
    title: 'Pas encore clair',
    charged: 'On ne sait pas encore si le client a été débité.',
    now: 'Le terminal est interrogé. Attendez, et n’encaissez pas ce paiement une seconde fois.',
  },
  doubt_person: {
    title: 'Veuillez regarder le terminal{which}',
    charged: 'On ne sait pas encore si le client a été débité.',
    now: 'Regardez le dernier ticket du terminal{which} et répondez à la question. N’encaissez pas de nouveau avant cela.',
  },
  paid: {
    title: 'Payé : {paid}',
    charged: 'Le client A payé {paid}.',
    now: 'Remettez la marchandise.',
  },
  paid_cash: {
    title: 'Payé : {paid}',
    charged: 'Le client A payé {paid}.',
    now: 'Remettez la marchandise et {cash} en espèces.',
  },
  paid_tip: {
    title: 'Payé : {paid}',
    charged: 'Le client A payé {paid}, dont {tip} de pourboire.',
    now: 'Remettez la marchandise.',
  },
  paid_late: {
    title: 'L’annulation est arrivée trop tard',
    charged: 'Le client A payé {paid}.',
    now: 'Remettez la marchandise ou remboursez.',
  },
  paid_more: {
    title: 'Payé : {paid}, soit {more} de plus que demandé',
    charged: 'Le client A payé {paid} alors que {asked} étaient demandés.',
    now: 'Remettez la marchandise et comparez le ticket. Remboursez {more} si le client n’était pas d’accord.',
  },
  paid_part: {
    title: 'Payé EN PARTIE : {paid} sur {asked}',
    charged: 'Le client A été débité de {paid}, pas de la totalité.',
    now: 'Encaissez le reste, {rest}, ou remboursez ce qui est payé. Ne remettez pas la marchandise avant.',
  },
  paid_correction: {
    title: 'Finalement payé : {paid}',
    charged: 'Le client A payé {paid} : une preuve plus récente le montre.',
    now: 'Remboursez, ou laissez tel quel et remettez la marchandise. N’encaissez pas une seconde fois.',
  },
  paid_going_back: {
    title: 'Remboursement en cours',
    charged: 'Le client A payé {paid}, dont {going} sont en train d’être rendus.',
    now: 'Attendez le résultat avant de remettre quoi que ce soit ou de rendre davantage.',
  },
  paid_back_part: {
    title: 'Payé : {paid}, rendu : {back}',
    charged: 'Le client A payé {paid}, dont {back} ONT été rendus : il reste {rest}.',
    now: 'Il n’y a rien d’autre à faire. {rest} au plus peuvent encore être rendus.',
  },
  paid_back_all: {
    title: 'Tout a été rendu',
    charged: 'Le client avait payé {paid}, et TOUT A été rendu.',
    now: 'Il n’y a rien d’autre à faire. Ne remettez la marchandise que contre un nouveau paiement.',
  },
  declined: {
    title: 'Refusé',
    charged: 'Le client n’a PAS été débité.',
    now: 'Essayez une autre carte ou un autre moyen de paiement.',
  },
  cancelled: {
    title: 'Annulé',
    charged: 'Le client n’a PAS été débité.',
    now: 'Recommencez si c’est toujours souhaité.',
  },
  failed: {
    title: 'Cela n’a pas abouti',
    charged: 'Le client n’a PAS été débité.',
    now: 'Regardez le terminal, puis réessayez.',
  },
  corrected_yes: {
    title: 'Finalement payé',
    charged: 'Une preuve plus récente dit autre chose que nous : le client A été débité.',
    now: 'Remboursez, ou laissez tel quel et remettez la marchandise si ce n’est pas déjà fait. N’encaissez pas une seconde fois.',
  },
  corrected_no: {
    title: 'Finalement non payé',
    charged: 'Une preuve plus récente dit autre chose que nous : le client n’a PAS été débité.',
    now: 'Ne remettez la marchandise que contre un autre paiement.',
  },
  corrected_unknown: {
    title: 'Les enregistrements ne concordent pas',
    charged:
      'On ne sait pas si le client a été débité : les enregistrements du terminal ne concordent pas avec la fin de ce paiement.',
    now: 'Comparez le journal du terminal avec le ticket. N’encaissez pas de nouveau avant cela.',
  },
  back_waiting: {
    title: 'En attente du terminal',
    charged: 'Rien n’a été rendu jusqu’ici.',
    now: 'Attendez. Ne recommencez pas.',
  },
  back_working: {
    title: 'Le terminal rembourse',
    charged: 'On ne sait pas encore si l’argent a été rendu.',
    now: 'Attendez le résultat. Ne recommencez pas.',
  },
  back_cancelling: {
    title: 'Annulation demandée',
    charged: 'On ne sait pas encore si l’argent a été rendu.',
    now: 'C’est le terminal qui décide. Appuyez sur sa touche d’arrêt et attendez.',
  },
  back_late_now: {
    title: 'Le paiement est en cours d’annulation',
    charged:
      'L’annulation est arrivée trop tard et le client a été débité. On ne sait pas encore si c’est défait.',
    now: 'Attendez le résultat. Ne remettez pas encore la marchandise.',
  },
  back_partial_now: {
    title: 'La partie est en cours d’annulation',
    charged: 'Une partie seulement a été acceptée et débitée. On ne sait pas encore si c’est défait.',
    now: 'Attendez le résultat. Ne remettez pas encore la marchandise.',
  },
  back_doubt_asking: {
    title: 'Pas encore clair',
    charged: 'On ne sait pas encore si l’argent a été rendu.',
    now: 'Le terminal est interrogé. Attendez, et ne rendez pas cet argent une seconde fois.',
  },
  back_doubt_person: {
    title: 'Veuillez regarder le terminal{which}',
    charged: 'On ne sait pas encore si l’argent a été rendu.',
    now: 'Regardez le dernier ticket du terminal{which} et répondez à la question. Ne rendez pas l’argent de nouveau avant cela.',
  },
  back_done: {
    title: 'Rendu : {paid}',
    charged: '{paid} ONT été rendus au client.',
    now: 'Il n’y a rien d’autre à faire.',
  },
  back_part: {
    title: 'Seulement {paid} rendus',
    charged: 'Seulement {paid} ONT été rendus au client, pas la totalité.',
    now: 'Rendez le reste, {rest}, ou demandez au client.',
  },
  back_correction: {
    title: 'Finalement rendu : {paid}',
    charged: '{paid} ONT été rendus au client : une preuve plus récente le montre.',
    now: 'Ne les rendez pas une seconde fois.',
  },
  back_late_done: {
    title: 'Le paiement a été annulé',
    charged: 'L’annulation est arrivée trop tard, mais {paid} ONT été rendus : le client ne paie rien.',
    now: 'Ne remettez pas la marchandise.',
  },
  back_partial_done: {
    title: 'La partie a été annulée',
    charged: 'Une partie seulement avait été acceptée, et {paid} ONT été rendus : le client ne paie rien.',
    now: 'Encaissez de nouveau la totalité avant de remettre la marchandise.',
  },
  back_late_failed: {
    title: 'Le paiement est maintenu',
    charged: 'RIEN n’a été rendu par cette opération : l’annulation est arrivée trop tard.',
    now: 'Regardez le paiement d’origine : remettez la marchandise ou remboursez.',
  },
  back_partial_failed: {
    title: 'La partie est maintenue',
    charged: 'RIEN n’a été rendu par cette opération : une partie seulement a été acceptée.',
    now: 'Regardez le paiement d’origine : encaissez le reste ou remboursez cette partie.',
  },
  back_declined: {
    title: 'Remboursement refusé',
    charged: 'RIEN n’a été rendu par cette opération.',
    now: 'Réessayez le remboursement, ou rendez l’argent autrement.',
  },
  back_cancelled: {
    title: 'Annulé',
    charged: 'RIEN n’a été rendu par cette opération.',
    now: 'Recommencez si c’est toujours souhaité.',
  },
  back_failed: {
    title: 'Le remboursement n’a pas abouti',
    charged: 'RIEN n’a été rendu par cette opération.',
    now: 'Regardez le terminal, puis réessayez le remboursement.',
  },
  void_failed: {
    title: 'L’annulation n’a pas été possible',
    charged: 'RIEN n’a été rendu par cette opération.',
    now: 'Remboursez plutôt le paiement, si ce n’est pas déjà fait.',
  },
  back_corrected_yes: {
    title: 'Finalement rendu',
    charged: 'Une preuve plus récente dit autre chose que nous : l’argent A été rendu.',
    now: 'Ne le rendez pas une seconde fois.',
  },
  back_corrected_no: {
    title: 'Finalement non rendu',
    charged: 'Une preuve plus récente dit autre chose que nous : l’argent n’a PAS été rendu.',
    now: 'Rendez-le encore une fois, ou autrement.',
  },
  back_corrected_unknown: {
    title: 'Les enregistrements ne concordent pas',
    charged: 'On ne sait pas si l’argent a été rendu : les enregistrements du terminal ne concordent pas.',
    now: 'Comparez le journal du terminal avec le ticket. Ne rendez pas cet argent de nouveau avant cela.',
  },
  doubt_replaced: {
    title: 'Le terminal{which} a été remplacé',
    charged: 'On ne sait pas encore si le client a été débité.',
    now: 'Vérifiez le ticket du client, le relevé de l’acquéreur ou le journal que l’acquéreur tient de l’ancien terminal, et répondez à la question. N’encaissez pas de nouveau avant cela.',
  },
  back_doubt_replaced: {
    title: 'Le terminal{which} a été remplacé',
    charged: 'On ne sait pas encore si l’argent a été rendu.',
    now: 'Vérifiez le ticket du client, le relevé de l’acquéreur ou le journal que l’acquéreur tient de l’ancien terminal, et répondez à la question. Ne rendez pas cet argent une seconde fois avant cela.',
  },
  doubt_not_believed: {
    title: 'L’accord n’est pas jugé fiable',
    charged: 'On ne sait pas si le client a été débité.',
    now: 'Ne remettez rien sur la seule parole de ce terminal. Vérifiez le ticket du client, le relevé de l’acquéreur ou le journal que l’acquéreur tient du terminal, et répondez à la question. N’encaissez pas de nouveau avant cela.',
  },
  back_doubt_not_believed: {
    title: 'L’accord n’est pas jugé fiable',
    charged: 'On ne sait pas si l’argent a été rendu.',
    now: 'Vérifiez le ticket du client, le relevé de l’acquéreur ou le journal que l’acquéreur tient du terminal, et répondez à la question. Ne rendez pas cet argent une seconde fois avant cela.',
  },
  written_off: {
    title: 'On ne l’a jamais su',
    charged: 'On n’a jamais su si le client a été débité.',
    now: 'Considérez-le comme débité : n’encaissez pas ces articles une seconde fois. Si le client montre un relevé avec le débit, enregistrez-le comme payé.',
  },
  back_written_off: {
    title: 'On ne l’a jamais su',
    charged: 'On n’a jamais su si l’argent a été rendu.',
    now: 'Considérez-le comme rendu : ne rendez pas cet argent une seconde fois. Si un relevé montre que l’argent a été rendu, enregistrez-le comme rendu.',
  },
  back_paid_after_all: {
    title: 'Finalement payé : {paid}',
    charged:
      'L’argent n’a PAS été rendu : une preuve plus récente montre que le client a finalement payé {paid}.',
    now: 'Regardez le paiement qui vaut : remboursez-le, ou laissez-le et remettez la marchandise si ce n’est pas déjà fait. N’encaissez pas une seconde fois.',
  },
  back_never_paid: {
    title: 'Finalement non payé : {paid}',
    charged:
      'Le client n’a PAS été débité de {paid}, ou les a récupérés : une preuve plus récente le montre.',
    now: 'Encaissez de nouveau si la marchandise a été remise, ou laissez tel quel. Ne rendez pas cet argent une seconde fois.',
  },
  back_more: {
    title: 'Rendu : {paid}, soit {more} de plus que demandé',
    charged: '{paid} ONT été rendus au client alors que {asked} étaient demandés.',
    now: 'Comparez le ticket du terminal avant de rendre ou d’encaisser autre chose.',
  },
};
