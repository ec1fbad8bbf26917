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

/// Whether a text is a Chinese name of two to four characters that begins with one of the hundred most common family
/// names.
pub(super) fn is_chinese(text: &str) -> bool {
    const FAMILY_NAMES: &str = "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何高林罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾\
         肖蕭田董袁潘于蒋蔣蔡余杜叶葉程苏蘇魏吕呂丁任沈姚卢盧姜崔钟鐘谭譚陆陸汪范范金石廖贾賈夏韦韋付傅方白邹鄒孟熊秦邱江尹\
         薛闫閻段雷侯龙龍史陶黎贺賀顾顧毛郝龚龔邵万萬钱錢严嚴覃武戴莫孔向汤湯裴";
    let is_han = |c: char| matches!(c, '\u{4e00}'..='\u{9fff}');
    let first = text.chars().next();
    first.is_some_and(|first| FAMILY_NAMES.contains(first))
        && (2..=4).contains(&text.chars().count())
        && text.chars().all(is_han)
}

/// Number of words among which the given name is, since titles may be before it.
const FIRST: usize = 3;

/// In lower case, in the order of their code points.
static GIVEN_NAMES: [&str; 1800] = words(
    "aaron abdul abdullah abigail achieng achim ada adam adela adele adeline aditya adriaan adrian \
     adriana adrien agata agnes agnieszka agus ahmad ahmed aidan aiko aileen aino akira akosua alain alan \
     alba albert alberto albrecht alejandra alejandro aleksander aleksandr aleksandra aleksei alena \
     alessandra alessandro alessia alex alexa alexander alexandra alexandre alexandru alexei alexia \
     alexis alfonso alfred alfredo ali alice alicia alina alison allan allen allison alma alois alona \
     alvaro alyssa amalia amanda amara amber amelia amelie amina amir amit amy ana ananya anastasia \
     anders andersen andi andre andrea andreas andrei andrej andres andrew andrey andrzej andré andrés \
     andy angel angela angelika angelina angelo angie anika anil anisse anita anja anjali anje anke ann \
     anna annabel anne anneke anneliese annett annette annie annika anouk anselm anthony antje antoine \
     anton antonella antonia antonio antti antónio anya arash archie ariana ariane arianna ariel arjun \
     armin arnaud arne arno arnold artem arthur artur arturo arun arvind ashley ashok aslaug astrid atli \
     attila audrey aurelia aurora aurélie axel ayesha aysha ayşe babette barbara barry bart bartosz \
     bastian beata beate beatrice beatriz becky ben benedict benedikt benjamin benoit benoît bernadette \
     bernard bernd bernhard bert berta bertrand beth bethany bettina bianca bilal billy birgit birgitta \
     birte bjarne björn bjørn bo bob bogdan bongani boris bożena brad bradley bram brandon brenda brendan \
     brent brett brian bridget brigitte britta bronwyn bruce bruno bryan budi burkhard béatrice caitlin \
     caleb cameron camila camilla camille candace cara carina carine carl carla carlo carlos carlota \
     carmen carol carola carolin carolina caroline carolyn carrie carsten casey caspar cassandra catalina \
     catarina cate caterina catherine cathy cecilia cedric celia celine cesar chad chantal charles \
     charlie charlotte chelsea chen cheryl chiara chinedu chioma chloe chloé chris christa christel \
     christelle christian christiane christie christin christina christine christof christoph christophe \
     christopher christy cindy claas claire clara clare clark claude claudia claudine claudio claus \
     clemens clive clément cole colette colin colleen connie connor conor conrad constance constantin \
     constanze cora cordula corinna corinne cornelia cornelius cosima courtney craig cristian cristiano \
     cristina cristóbal curtis cynthia cyril cédric céline césar daan dagmar daisuke damian damien damir \
     dan dana daniel daniela daniele daniella danielle danilo danny dara daria darius darko darren daryl \
     dave david davide debbie deborah debra declan deepak delphine denis denise dennis derek desiree \
     detlef detlev devin devon dewi diana diane didier diego dieter dietmar dietrich dina dino dirk \
     dmitri dmitry dolores dominic dominik dominika dominique don donald donna dora doreen dorian doris \
     dorota dorothea dorothee dorothy doug douglas dries duc duncan dustin dwight dylan eberhard eckart \
     eckhard ed eddie edgar edith edoardo eduard eduardo edward edwin egon eike eileen eirik ekaterina \
     elaine eleanor elena eleni eleonora elfriede eli elia eliana elias elif elina elisa elisabet \
     elisabeth elise elizabeth elke ella elle ellen elliot elliott elodie eloise elsa elvira elżbieta \
     emanuel emanuele emeka emil emilia emilie emilio emily emine emma emmanuel emmanuelle emre enno \
     enrico enrique eric erica erich erick erik erika erin ernest ernesto ernst erwin esra esteban estela \
     estelle esther ethan etienne eugen eugene eugenia eva evan eve evelyn evgeny ewa ewald fabian \
     fabiana fabien fabio fabrice fabrizio faisal fanny farah fatih fatima fatma federica federico \
     felicia felicitas felicity felipe felix femke fernanda fernando filip filippo finn fiona flavia \
     flavio flora florian floriane fran frances francesca francesco francis francisca francisco franco \
     francois frank frankie franz franziska françois françoise fred frederic frederick frederik freya \
     frida frieda friederike friedhelm friedrich fritz frédéric félix gabi gabriel gabriela gabriele \
     gabriella gabrielle gaetano gail gareth garrett gary gavin gaël geert gemma gene genevieve geneviève \
     geoff geoffrey georg george georges georgia georgina gerald gerard gerd gerhard gero gerrit gert \
     gertrud gheorghe giacomo gianluca gianni gilbert gilles gillian gina giorgia giorgio giovanna \
     giovanni gisela gisele giulia giulio giuseppe glen glenn gloria gordon grace graham greet greg \
     gregor gregory greta grzegorz gudrun guido guillaume guillermo gunilla gunnar gunnhildur gunter \
     gunther gustav gustavo guy guðrún gérard göran götz günter günther hakan haki halina hamza hana \
     hanna hannah hanneke hannelore hannes hanns hans harald hari harish harold harriet harry hartmut \
     haruka harvey hasan hassan hayley heather hector hedwig heide heidi heike heiko heiner heinrich \
     heinz helen helena helene helga helge helmut hendrik henk henning henri henrik henry herbert hermann \
     hernán hervé hilary hilde hildegard hiro hiroshi holger holly horst hossein howard hubert hubertus \
     hugh hugo huong hussein hyun håkan héctor hélène ian ibrahim ida ignacio igor ilaria ilja ilka ilona \
     ilse imran ines inga inge ingeborg ingmar ingo ingrid inés ionut irene irina iris irma isaac isabel \
     isabell isabella isabelle ivan ivana ivo iván izabela jack jackie jackson jacob jacqueline jacques \
     jadwiga jaime jake jakob jakub james jamie jan jana jane janet janez janina janine janis janne \
     jannik janusz jaroslav jarosław jasmin jasmine jason jasper javier jay jean jeanette jeanne \
     jeannette jeff jeffrey jelena jen jenna jennifer jenny jens jeremy jeroen jerome jerry jerzy jesper \
     jess jesse jessica jessie jesus jesús jette jihoon jill jim jimmy jiří jo joachim joan joana joanna \
     joanne joaquín jochen jodie joe joel joelle joerg johan johann johanna johannes john johnny jon \
     jonas jonathan joost jordan jordi jorge joris jos jose josef josefine joseph josephine josh joshua \
     josiah jost josé joy joyce joão joël jožef juan juana jude judith judy juha jukka jule jules julia \
     julian juliana juliane julie julien juliet juliette julio julius jurgen justin justine justus jutta \
     ján jérémy jérôme jón jörg jörn jørgen jürgen kai kaitlin kaja kalle kamau kamil karel karen karin \
     karina karl karla karolina karoline karsten kasia kaspar katarina katarzyna kate katerina katharina \
     katherine kathleen kathrin kathryn kathy katie katja katrin katrina katrine kavita kay kayla kazuo \
     keith kelly ken kenji kenneth kenny kenta kerry kerstin kevin khaled khalid kilian kim kimberly kira \
     kirk kirsten kirstin kjell klara klaus klemens knut koen kofi konrad konstantin korbinian kris \
     krista kristen kristian kristin kristina kristine krystyna krzysztof kurt kwame kyle lakshmi lara \
     larissa larry lars lasse laszlo laura laure laurel lauren laurence laurent laurie layla lea leah \
     leander leif leigh leila lena lenka lennart leo leon leonard leonardo leonhard leonie leopold lerato \
     leroy lesley leslie leticia levi lewis leyla lia liam lidia liesa lieve lili lilian lilly lily lina \
     linda lindsay lindsey linh linus lionel lisa lise liv livia liz lloyd logan lois lola lorena lorenz \
     lorenzo loretta lori lorraine lothar lotte lou louis louisa louise loïc luc luca lucas lucia lucie \
     lucien lucille lucy lucía ludger ludovic ludwig luigi luis luisa luiz lukas lukasz luke lutz luís \
     lydia lynn lærke léa léon maarten maciej maciek madeleine mads magda magdalena maggie magnus mahmoud \
     maik maike maja malcolm malin malte mandy manfred manja manon manuel manuela mara marc marcel \
     marcela marcello marcelo marcin marco marcos marcus mareike marek maren margaret margarete margarita \
     margot margrit maria mariam marian mariana marianna marianne marie marieke marija marika marina \
     mario marion marisa marissa marit marita marius mariusz mark marko markus marlene marlies marta \
     martha martin martina martí martín marvin mary maría masha massimo mateo mateusz mathatisi mathias \
     mathieu mathilde matias matilda matt matteo matthew matthias matthieu matti mattia mattias maud \
     maureen maurice mauricio mauro max maxim maxime maximilian maya małgorzata meera megan mehdi mehmet \
     meike mel melanie melinda melissa melody mercedes meredith merle mette mia micaela micha michael \
     michaela michal michał michel michela michele michelle miguel mihaela mihai mika mikael mike mikhail \
     mikko milan milena miles minji miriam mirjam mirko miroslav mirosław misha mitch mitchell mohamed \
     mohammad mohammed mohloai moira molly mona monica monika monique morgan moritz morten muhammad murat \
     murray mustafa mustapha myriam mária mélanie mónica nadia nadine nadja naledi nancy naoki naomi \
     nasrin natalia natalie natascha natasha nate nathalie nathan nathaniel neha neil nele nelly nelson \
     ngozi nguyen nicholas nick nicki nicky nico nicola nicolai nicolas nicole nicolás niels nigel nikhil \
     nikita niklas niko nikola nikolai nikolas nikolaus nils nina noah noam noel nomsa nora norbert norma \
     norman nour noémie nynne oana obinna octavio odile ola olaf oleg olga oliver olivia olivier \
     oluwaseun omar omer ondřej ophelie ophélie oriol orla oscar oskar osman otieno otto owen pablo \
     pamela paolo pascal pascale patricia patrick patrik patrizia patryk patty paul paula paulina pauline \
     paulo pavel paweł pedro peggy penelope per pete peter petr petra petteri phil philip philipp \
     philippa philippe phillip phyllis pia pierre pieter pietro pilar pim piotr pippin pooja povilas \
     priya priyanka putri päivi quentin rachael rachel radu rafael rafaela rafał ragnhild rahul rainer \
     raj raja rajesh rakesh ralf ralph raluca ramesh ramon ramona ramón randall randy raphael raphaël \
     raquel rasmus raul ravi ravindra raymond raúl rebecca rebekka regina regula reiner reinhard reinhold \
     remo renata renate renato rene renee rené reto reza rhys ricarda ricardo riccardo richard rick ricky \
     riikka rikke rita rizki rob robert roberta roberto robin rocío rod roderick rodolfo rodrigo roger \
     rohan rohit roland rolf romain roman ron ronald ronja ronny roos rosa rosalie rosanna rosemary rosie \
     ross rowan roxana roy ruben rubén rudi rudolf rudolph rupert russ russell ruth ryan régis rémi \
     rüdiger sabine sabrina sacha sadie said sakura sally sam samantha samir samuel sandra sandrine \
     sanjana sanjay sanna sanne santiago sara sarah sascha sasha saskia satoshi scott sean sebastian \
     sebastián selina selma serena serge sergei sergey sergio severin shane shannon sharon shaun shawn \
     sheila shelly sheryl shirin shirley sibylle sidney siegfried siegmund signe sigrid sigríður sigurd \
     silja silke silvia silvio simon simona simone sina siobhan sipho siti sofia sofie solveig sonia \
     sonja sophia sophie sorin spencer stacey stacy stan stanislav stanisław stanley stefan stefania \
     stefanie stefano steffen steffi stella sten stephan stephane stephanie stephen steve steven stewart \
     stig stijn stuart stéphane stéphanie sue sunil sunita suresh susan susana susann susanna susanne \
     susi suzanne svein sven svenja svetlana sybille sylvain sylvia sylvie sébastien sören søren sławomir \
     takashi tamara tania tanja tanya tara tarek tariq tatiana tatjana taylor ted teresa tereza terje \
     terri terry tessa teven thabo thanh thea theo theodor theodore theresa therese thibault thierry \
     thijs thilo thomas thorben thorsten thérèse tiago tiffany till tilman tim timo timothy tina tino \
     tobias todd tom tomas tomasz tommaso tommy tomás tomáš toni tony tonya torben torbjörn torsten tove \
     tracey tracy travis trevor tristan trond trudy tunde tuomas tyler udo ulf ulla ulrich ulrike umberto \
     urs ursula usman uta ute uwe vadim valentin valentina valeria valerie valérie vanessa vasile \
     vasilisa vasily veerle vera verena veronica veronika vicente vicki vicky victor vidar vijay vikram \
     viktor viktoria ville vinay vince vincent vincenzo viola violetta virginia virginie vittoria \
     vittorio vivian viviana viviane vivien vlad vladimir volker véronique wahyu walter waltraud wanda \
     wanjiru warren wayne wei wendy werner wes wiebke wiesław wilfried wilhelm willi william willy \
     winfried wojciech wolf wolfgang wolfram wouter xavier xiaoming ximena yann yannick yara yasmin \
     yasmina yasser yemi yolanda yoshi youssef yuki yumi yuri yusuf yves yvette yvonne zach zachary zack \
     zainab zanele zara zbigniew zdeněk zeynep zoe zoey zofia zoltan zoé zuzana zuzanna álvaro ángel \
     ángela åse élodie émilie étienne ólafur øyvind þorsteinn łukasz александр алексей андрей анна \
     владимир дмитрий екатерина елена иван ирина мария михаил наталья николай ольга павел сергей татьяна \
     юлия",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(GIVEN_NAMES.is_sorted());
    }

    #[test]
    fn given_names_may_follow_a_title() {
        assert!(begins_with_one("Jane Roe"));
        assert!(begins_with_one("Dr. Karl-Heinz Roe"));
        assert!(!begins_with_one("Weitere Informationen"));
    }
}
