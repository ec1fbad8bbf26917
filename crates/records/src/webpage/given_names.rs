//! Given names that are common in the languages of the web: a sign that a text is the name of a person.

use citation_model::lists::words;

/// Whether one of the first words of a text is a common given name.
pub(super) fn begins_with_one(text: &str) -> bool {
    let mut words = text
        .split(|c: char| c.is_whitespace() || c == '-' || c == '‑')
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty());
    words.by_ref().take(FIRST).any(|word| {
        GIVEN_NAMES
            .binary_search(&word.to_lowercase().as_str())
            .is_ok()
    })
}

/// Number of words among which the given name is, since titles may be before it.
const FIRST: usize = 3;

/// In lower case, in the order of their code points.
const GIVEN_NAMES: [&str; 1612] = words(
    "aaron abdul abdullah abigail achim ada adam adela adele adeline adriaan adrian adriana adrien agata \
     agnes agnieszka ahmad ahmed aidan aiko aileen aino alain alan alba albert alberto albrecht alejandra \
     alejandro aleksander aleksandr aleksandra aleksei alena alessandra alessandro alessia alex alexa \
     alexander alexandra alexandre alexandru alexei alexia alexis alfonso alfred alfredo ali alice alicia \
     alina alison allan allen allison alma alois alona alvaro alyssa amalia amanda amber amelia amelie \
     amina amir amit amy ana anastasia anders andersen andi andre andrea andreas andrei andrej andres \
     andrew andrey andrzej andré andrés andy angel angela angelika angelina angelo angie anika anil anita \
     anja anjali anje anke ann anna annabel anne anneke anneliese annett annette annie annika anouk \
     anselm anthony antje antoine anton antonella antonia antonio antti antónio anya archie ariana ariane \
     arianna ariel arjun armin arnaud arne arno arnold artem arthur artur arturo arun ashley ashok astrid \
     attila audrey aurelia aurora aurélie axel aysha ayşe babette barbara barry bart bartosz bastian \
     beata beate beatrice beatriz becky ben benedict benedikt benjamin benoit benoît bernadette bernard \
     bernd bernhard bert berta bertrand beth bethany bettina bianca billy birgit birgitta birte bjarne \
     björn bo bob boris brad bradley brandon brenda brendan brent brett brian bridget brigitte britta \
     bronwyn bruce bruno bryan burkhard béatrice caitlin caleb cameron camila camilla camille candace \
     cara carina carine carl carla carlo carlos carlota carmen carol carola carolin carolina caroline \
     carolyn carrie carsten casey caspar cassandra catalina catarina cate caterina catherine cathy \
     cecilia cedric celia celine cesar chad chantal charles charlie charlotte chelsea chen cheryl chiara \
     chloe chloé chris christa christel christelle christian christiane christie christin christina \
     christine christof christoph christophe christopher christy cindy claas claire clara clare clark \
     claude claudia claudine claudio claus clemens clive clément cole colette colin colleen connie connor \
     conor conrad constance constantin constanze cora cordula corinna corinne cornelia cornelius cosima \
     courtney craig cristian cristiano cristina cristóbal curtis cynthia cyril cédric céline césar dagmar \
     damian damien damir dan dana daniel daniela daniele daniella danielle danilo danny dara daria darius \
     darko darren daryl dave david davide debbie deborah debra declan delphine denis denise dennis derek \
     desiree detlef detlev devin devon diana diane didier diego dieter dietmar dietrich dina dino dirk \
     dmitri dmitry dolores dominic dominik dominika dominique don donald donna dora doreen dorian doris \
     dorota dorothea dorothee dorothy doug douglas duncan dustin dwight dylan eberhard eckart eckhard ed \
     eddie edgar edith edoardo eduard eduardo edward edwin egon eike eileen eirik ekaterina elaine \
     eleanor elena eleni eleonora elfriede eli elia eliana elias elif elina elisa elisabet elisabeth \
     elise elizabeth ella elle ellen elliot elliott elodie eloise elsa elvira emanuel emanuele emil \
     emilia emilie emilio emily emine emma emmanuel emmanuelle emre enno enrico enrique eric erica erich \
     erick erik erika erin ernest ernesto ernst erwin esra esteban estela estelle esther ethan etienne \
     eugen eugene eugenia eva evan eve evelyn evgeny ewa ewald fabian fabiana fabien fabio fabrice \
     fabrizio fanny farah fatih fatima fatma federica federico felicia felicitas felicity felipe felix \
     fernanda fernando filip filippo finn fiona flavia flavio flora florian floriane fran frances \
     francesca francesco francis francisca francisco franco francois frank frankie franz franziska \
     françois françoise fred frederic frederick frederik freya frida frieda friederike friedhelm \
     friedrich fritz frédéric félix gabi gabriel gabriela gabriele gabriella gabrielle gaetano gail \
     gareth garrett gary gavin gaël geert gemma gene genevieve geneviève geoff geoffrey georg george \
     georges georgia georgina gerald gerard gerd gerhard gero gerrit gert gertrud giacomo gianluca gianni \
     gilbert gilles gillian gina giorgia giorgio giovanna giovanni gisela gisele giulia giulio giuseppe \
     glen glenn gloria gordon grace graham greg gregor gregory greta gudrun guido guillaume guillermo \
     gunnar gunter gunther gustav gustavo guy gérard götz günter günther hakan hanna hannah hannelore \
     hannes hanns hans harald hari harold harriet harry hartmut harvey hasan hassan hayley heather hector \
     hedwig heide heidi heike heiko heiner heinrich heinz helen helena helene helga helge helmut hendrik \
     henk henning henri henrik henry herbert hermann hernán hervé hilary hilde hildegard hiroshi holger \
     holly horst howard hubert hubertus hugh hugo hussein héctor hélène ian ibrahim ida ignacio igor \
     ilaria ilja ilka ilona ilse ines inga inge ingeborg ingmar ingo ingrid inés irene irina iris irma \
     isaac isabel isabell isabella isabelle ivan ivana ivo iván izabela jack jackie jackson jacob \
     jacqueline jacques jaime jake jakob jakub james jamie jan jana jane janet janez janina janine janis \
     janne jannik jarosław jasmin jasmine jason jasper javier jay jean jeanette jeanne jeannette jeff \
     jeffrey jelena jen jenna jennifer jenny jens jeremy jerome jerry jesper jess jesse jessica jessie \
     jesus jesús jette jill jim jimmy jiří jo joachim joan joana joanna joanne joaquín jochen jodie joe \
     joel joelle joerg johan johann johanna johannes john johnny jon jonas jonathan jordan jordi jorge \
     jos jose josef josefine joseph josephine josh joshua josiah jost josé joy joyce joão joël jožef juan \
     juana jude judith judy jukka jule jules julia julian juliana juliane julie julien juliet juliette \
     julio julius jurgen justin justine justus jutta jérémy jérôme jörg jörn jürgen kai kaitlin kaja \
     kamil karel karen karin karina karl karla karolina karoline karsten kasia kaspar katarina katarzyna \
     kate katerina katharina katherine kathleen kathrin kathryn kathy katie katja katrin katrina kay \
     kayla keith kelly ken kenji kenneth kenny kerry kerstin kevin khaled kilian kim kimberly kira kirk \
     kirsten kirstin kjell klara klaus klemens knut konrad konstantin korbinian kris krista kristen \
     kristian kristin kristina kristine krystyna krzysztof kurt kyle lara larissa larry lars laszlo laura \
     laure laurel lauren laurence laurent laurie lea leah leander leif leigh leila lena lenka leo leon \
     leonard leonardo leonhard leonie leopold leroy lesley leslie leticia levi lewis lia liam lidia liesa \
     lili lilian lilly lily lina linda lindsay lindsey linus lionel lisa lise liv livia liz lloyd logan \
     lois lola lorena lorenz lorenzo loretta lori lorraine lothar lotte lou louis louisa louise loïc luc \
     luca lucas lucia lucie lucien lucille lucy lucía ludger ludovic ludwig luigi luis luisa luiz lukas \
     lukasz luke lutz luís lydia lynn léa léon maarten maciej madeleine magda magdalena maggie magnus \
     mahmoud maik maike maja malcolm malin malte mandy manfred manja manon manuel manuela mara marc \
     marcel marcela marcello marcelo marcin marco marcos marcus mareike marek maren margaret margarete \
     margarita margot margrit maria mariam marian mariana marianna marianne marie marija marika marina \
     mario marion marisa marissa marit marita marius mariusz mark marko markus marlene marlies marta \
     martha martin martina martí martín marvin mary maría masha massimo mateo mateusz mathias mathieu \
     mathilde matias matilda matt matteo matthew matthias matthieu matti mattia maud maureen maurice \
     mauricio mauro max maxim maxime maximilian maya małgorzata megan mehmet meike mel melanie melinda \
     melissa melody mercedes meredith merle mia micaela micha michael michaela michal michał michel \
     michela michele michelle miguel mihai mika mikael mike mikhail mikko milan milena miles miriam \
     mirjam mirko misha mitch mitchell mohamed mohammad mohammed moira molly mona monica monika monique \
     morgan moritz morten muhammad murat murray mustafa myriam mélanie mónica nadia nadine nadja nancy \
     naomi natalia natalie natascha natasha nate nathalie nathan nathaniel neha neil nele nelly nelson \
     nicholas nick nicki nicky nico nicola nicolai nicolas nicole nicolás niels nigel nikita niklas niko \
     nikola nikolai nikolas nikolaus nils nina noah noam noel nora norbert norma norman noémie octavio \
     odile ola olaf oleg olga oliver olivia olivier omar ondřej oriol orla oscar oskar osman otto owen \
     pablo pamela paolo pascal pascale patricia patrick patrik patrizia patryk patty paul paula paulina \
     pauline paulo pavel paweł pedro peggy penelope per pete peter petr petra petteri phil philip philipp \
     philippa philippe phillip phyllis pia pierre pieter pietro pilar pim piotr povilas priya priyanka \
     quentin rachael rachel rafael rafaela rafał rahul rainer raj raja rajesh ralf ralph ramon ramona \
     ramón randall randy raphael raphaël raquel rasmus raul ravi raymond raúl rebecca rebekka regina \
     regula reiner reinhard reinhold remo renata renate renato rene renee rené reto rhys ricarda ricardo \
     riccardo richard rick ricky rita rob robert roberta roberto robin rocío rod roderick rodolfo rodrigo \
     roger roland rolf romain roman ron ronald ronja ronny rosa rosalie rosanna rosemary rosie ross rowan \
     roxana roy ruben rubén rudi rudolf rudolph rupert russ russell ruth ryan régis rémi rüdiger sabine \
     sabrina sacha sadie said sally sam samantha samir samuel sandra sandrine sanjay santiago sara sarah \
     sascha sasha saskia satoshi scott sean sebastian sebastián selina selma serena serge sergei sergey \
     sergio severin shane shannon sharon shaun shawn sheila shelly sheryl shirley sibylle sidney \
     siegfried siegmund sigrid silja silke silvia silvio simon simona simone sina siobhan sofia sofie \
     solveig sonia sonja sophia sophie spencer stacey stacy stan stanislav stanisław stanley stefan \
     stefania stefanie stefano steffen steffi stella sten stephan stephane stephanie stephen steve steven \
     stewart stig stuart stéphane stéphanie sue susan susana susann susanna susanne susi suzanne svein \
     sven svenja svetlana sybille sylvain sylvia sylvie sébastien sören søren tamara tania tanja tanya \
     tara tarek tatiana tatjana taylor ted teresa terri terry tessa thea theo theodor theodore theresa \
     therese thibault thierry thilo thomas thorben thorsten thérèse tiago tiffany till tilman tim timo \
     timothy tina tino tobias todd tom tomas tomasz tommaso tommy tomás tomáš toni tony tonya torben \
     torsten tove tracey tracy travis trevor tristan trudy tuomas tyler udo ulf ulla ulrich ulrike \
     umberto urs ursula uta ute uwe vadim valentin valentina valeria valerie valérie vanessa vasile \
     vasily vera verena veronica veronika vicente vicki vicky victor vidar viktor viktoria vinay vince \
     vincent vincenzo viola violetta virginia virginie vittoria vittorio vivian viviana viviane vivien \
     vladimir volker véronique walter waltraud wanda warren wayne wendy werner wes wiebke wilfried \
     wilhelm willi william willy winfried wojciech wolf wolfgang wolfram xavier ximena yann yannick yara \
     yasmin yasmina yolanda yoshi yuki yuri yusuf yves yvette yvonne zach zachary zack zara zoe zoey \
     zoltan zoé zuzana álvaro ángel ángela élodie émilie étienne łukasz александр алексей андрей анна \
     владимир дмитрий екатерина елена иван ирина мария михаил наталья николай ольга павел сергей татьяна \
     юлия",
);
