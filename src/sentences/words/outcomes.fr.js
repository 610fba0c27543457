/** @type {typeof import('./outcomes.en.js').outcomes} */
export const outcomes = {
  waiting: {
    title: 'En attente du terminal',
    charged: 'Le client n’a pas été débité jusqu’ici.',
    now: 'Attendez. Ne recommencez pas.',
  },
  working: {
    title: 'Le terminal traite le paiement',
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
    title: 'Regardez le terminal{which}, s’il vous plaît',
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
    now: 'Remboursez, ou ne changez rien et remettez la marchandise. N’encaissez pas une seconde fois.',
  },
  paid_going_back: {
    title: 'Remboursement en cours',
    charged: 'Le client A payé {paid}, dont {going} sont en train d’être remboursés.',
    now: 'Attendez ce résultat avant de remettre quoi que ce soit ou de rembourser davantage.',
  },
  paid_back_part: {
    title: 'Payé : {paid}, remboursé : {back}',
    charged: 'Le client A payé {paid}, dont {back} ONT été remboursés : il reste {rest}.',
    now: 'Il n’y a rien d’autre à faire. {rest} au plus peuvent encore être remboursés.',
  },
  paid_back_all: {
    title: 'Tout a été remboursé',
    charged: 'Le client avait payé {paid}, et TOUT A été remboursé.',
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
    charged: 'Une preuve plus récente contredit ce qui était affiché : le client A été débité.',
    now: 'Remboursez, ou ne changez rien et remettez la marchandise si ce n’est pas déjà fait. N’encaissez pas une seconde fois.',
  },
  corrected_no: {
    title: 'Finalement non payé',
    charged: 'Une preuve plus récente contredit ce qui était affiché : le client n’a PAS été débité.',
    now: 'Ne remettez la marchandise que contre un autre paiement.',
  },
  corrected_unknown: {
    title: 'Les enregistrements se contredisent',
    charged:
      'On ne sait pas si le client a été débité : les enregistrements du terminal contredisent le résultat de ce paiement.',
    now: 'Comparez le journal du terminal avec le ticket. N’encaissez pas de nouveau avant cela.',
  },
  back_waiting: {
    title: 'En attente du terminal',
    charged: 'Rien n’a été remboursé jusqu’ici.',
    now: 'Attendez. Ne recommencez pas.',
  },
  back_working: {
    title: 'Le terminal rembourse',
    charged: 'On ne sait pas encore si l’argent a été remboursé.',
    now: 'Attendez le résultat. Ne recommencez pas.',
  },
  back_cancelling: {
    title: 'Annulation demandée',
    charged: 'On ne sait pas encore si l’argent a été remboursé.',
    now: 'C’est le terminal qui décide. Appuyez sur sa touche d’arrêt et attendez.',
  },
  back_late_now: {
    title: 'Le paiement est en cours d’annulation',
    charged:
      'L’annulation est arrivée trop tard et le client a été débité. On ne sait pas encore si ce débit est annulé.',
    now: 'Attendez le résultat. Ne remettez pas encore la marchandise.',
  },
  back_partial_now: {
    title: 'Le paiement partiel est en cours d’annulation',
    charged: 'Une partie seulement a été acceptée et débitée. On ne sait pas encore si ce débit est annulé.',
    now: 'Attendez le résultat. Ne remettez pas encore la marchandise.',
  },
  back_doubt_asking: {
    title: 'Pas encore clair',
    charged: 'On ne sait pas encore si l’argent a été remboursé.',
    now: 'Le terminal est interrogé. Attendez, et ne remboursez pas une seconde fois.',
  },
  back_doubt_person: {
    title: 'Regardez le terminal{which}, s’il vous plaît',
    charged: 'On ne sait pas encore si l’argent a été remboursé.',
    now: 'Regardez le dernier ticket du terminal{which} et répondez à la question. Ne remboursez pas de nouveau avant cela.',
  },
  back_done: {
    title: 'Remboursé : {paid}',
    charged: '{paid} ONT été remboursés au client.',
    now: 'Il n’y a rien d’autre à faire.',
  },
  back_part: {
    title: 'Seulement {paid} remboursés',
    charged: 'Seulement {paid} ONT été remboursés au client, pas la totalité.',
    now: 'Remboursez le reste, {rest}, ou demandez au client.',
  },
  back_correction: {
    title: 'Finalement remboursé : {paid}',
    charged: '{paid} ONT été remboursés au client : une preuve plus récente le montre.',
    now: 'Ne remboursez pas une seconde fois.',
  },
  back_late_done: {
    title: 'Le paiement a été annulé',
    charged: 'L’annulation est arrivée trop tard, mais {paid} ONT été remboursés : le client ne paie rien.',
    now: 'Ne remettez pas la marchandise.',
  },
  back_partial_done: {
    title: 'Le paiement partiel a été annulé',
    charged:
      'Une partie seulement avait été acceptée, et {paid} ONT été remboursés : le client ne paie rien.',
    now: 'Encaissez de nouveau la totalité avant de remettre la marchandise.',
  },
  back_late_failed: {
    title: 'Le paiement est maintenu',
    charged: 'RIEN n’a été remboursé par cette opération : l’annulation est arrivée trop tard.',
    now: 'Regardez le paiement d’origine : remettez la marchandise ou remboursez.',
  },
  back_partial_failed: {
    title: 'Le paiement partiel est maintenu',
    charged: 'RIEN n’a été remboursé par cette opération : une partie seulement a été acceptée.',
    now: 'Regardez le paiement d’origine : encaissez le reste ou remboursez cette partie.',
  },
  back_declined: {
    title: 'Remboursement refusé',
    charged: 'RIEN n’a été remboursé par cette opération.',
    now: 'Réessayez le remboursement, ou rendez l’argent autrement.',
  },
  back_cancelled: {
    title: 'Annulé',
    charged: 'RIEN n’a été remboursé par cette opération.',
    now: 'Recommencez si c’est toujours souhaité.',
  },
  back_failed: {
    title: 'Le remboursement n’a pas abouti',
    charged: 'RIEN n’a été remboursé par cette opération.',
    now: 'Regardez le terminal, puis réessayez le remboursement.',
  },
  void_failed: {
    title: 'L’annulation n’a pas été possible',
    charged: 'RIEN n’a été remboursé par cette opération.',
    now: 'Remboursez plutôt le paiement, si ce n’est pas déjà fait.',
  },
  back_corrected_yes: {
    title: 'Finalement remboursé',
    charged: 'Une preuve plus récente contredit ce qui était affiché : l’argent A été remboursé.',
    now: 'Ne remboursez pas une seconde fois.',
  },
  back_corrected_no: {
    title: 'Finalement non remboursé',
    charged: 'Une preuve plus récente contredit ce qui était affiché : l’argent n’a PAS été remboursé.',
    now: 'Remboursez encore une fois, ou rendez l’argent autrement.',
  },
  back_corrected_unknown: {
    title: 'Les enregistrements se contredisent',
    charged:
      'On ne sait pas si l’argent a été remboursé : les enregistrements du terminal contredisent ce résultat.',
    now: 'Comparez le journal du terminal avec le ticket. Ne remboursez pas de nouveau avant cela.',
  },
  doubt_replaced: {
    title: 'Le terminal{which} a été remplacé',
    charged: 'On ne sait pas encore si le client a été débité.',
    now: 'Vérifiez le ticket du client, le relevé de l’acquéreur ou le journal que l’acquéreur tient de l’ancien terminal, et répondez à la question. N’encaissez pas de nouveau avant cela.',
  },
  back_doubt_replaced: {
    title: 'Le terminal{which} a été remplacé',
    charged: 'On ne sait pas encore si l’argent a été remboursé.',
    now: 'Vérifiez le ticket du client, le relevé de l’acquéreur ou le journal que l’acquéreur tient de l’ancien terminal, et répondez à la question. Ne remboursez pas une seconde fois avant cela.',
  },
  doubt_not_believed: {
    title: 'L’accord n’est pas jugé fiable',
    charged: 'On ne sait pas si le client a été débité.',
    now: 'Ne remettez rien sur la seule parole de ce terminal. Vérifiez le ticket du client, le relevé de l’acquéreur ou le journal que l’acquéreur tient du terminal, et répondez à la question. N’encaissez pas de nouveau avant cela.',
  },
  back_doubt_not_believed: {
    title: 'L’accord n’est pas jugé fiable',
    charged: 'On ne sait pas si l’argent a été remboursé.',
    now: 'Vérifiez le ticket du client, le relevé de l’acquéreur ou le journal que l’acquéreur tient du terminal, et répondez à la question. Ne remboursez pas une seconde fois avant cela.',
  },
  written_off: {
    title: 'Cela n’a jamais été éclairci',
    charged: 'On n’a jamais su si le client a été débité.',
    now: 'Considérez-le comme débité : n’encaissez pas ces articles une seconde fois. Si le client montre un relevé avec le débit, enregistrez-le comme payé.',
  },
  back_written_off: {
    title: 'Cela n’a jamais été éclairci',
    charged: 'On n’a jamais su si l’argent a été remboursé.',
    now: 'Considérez-le comme remboursé : ne remboursez pas une seconde fois. Si un relevé montre que l’argent a été remboursé, enregistrez-le comme remboursé.',
  },
  back_paid_after_all: {
    title: 'Finalement payé : {paid}',
    charged:
      'L’argent n’a PAS été remboursé : une preuve plus récente montre que le client a finalement payé {paid}.',
    now: 'Regardez le paiement qui compte : remboursez-le, ou ne changez rien et remettez la marchandise si ce n’est pas déjà fait. N’encaissez pas une seconde fois.',
  },
  back_never_paid: {
    title: 'Finalement non payé : {paid}',
    charged:
      'Le client n’a PAS été débité de {paid}, ou les a récupérés : une preuve plus récente le montre.',
    now: 'Encaissez de nouveau si la marchandise a été remise, ou ne changez rien. Ne remboursez pas une seconde fois.',
  },
  back_more: {
    title: 'Remboursé : {paid}, soit {more} de plus que demandé',
    charged: '{paid} ONT été remboursés au client alors que {asked} étaient demandés.',
    now: 'Comparez le ticket du terminal avant de rembourser ou d’encaisser autre chose.',
  },
};
